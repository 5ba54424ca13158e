-module(names).
-export([main/0, foo/3]).
-record(state, {count = 0, name}).
-define(BAD(X), X + undefined_thing(X, Zed)).
-define(INC(S), S#state{cout = 1}).

main() ->
    S = #state{},
    hlep(S),
    help(),
    ?BAD(1),
    ?INC(S),
    case S of
        #state{count = 0} -> Q = 1;
        _ -> ok
    end,
    Q.

help(X) -> X + Y.
help2(f(X)) when lists:member(X, [1]) -> X.

help(X) -> X.

k(A) -> 1 < A < 3.
l() -> fun foo end.
m(X) -> X=<<"a">>.
n(} -> ok.
o() -> {1, [2, 3}.
p() -> begin 1, 2 .
q() -> end.
r() -> ok;.
s() -> f(1)(2).
t() -> try 1 end.
u() -> #{a = 1}.
v() -> ok,
w() -> X === 1.
