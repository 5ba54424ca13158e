-module(separators).
-export([a/1, b/0, missing/2])
-define(LIMIT, 10).

a(X) ->
    case X of
        1 -> one;
        2 -> two;
    end.

b() ->
    Y = [1, 2, 3,
    Y.

c(X) when X <= 3 -> X;
c(X) -> if X != 4 -> ?LIMITT; true -> X end.

d(X) ->
    case X of
        a -> 1
        b -> 2
    end
    
e() -> foo(1,),
    "bar.

f(1) -> a,
f(2) -> b.

g(X) ->
    receive
        {after, Y} -> Y
    after 10 -> X.

h() -> A = 1
    B = 2,
    A + B.
