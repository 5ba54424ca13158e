%! run: token_lost:test/0
%! verdict: deadlock
%% A node that ends when it has worked takes the token with it.
-module(token_lost).
-export([test/0]).

test() ->
    Self = self(),
    C = spawn(fun() -> receive token -> Self ! token end end),
    B = spawn(fun() -> receive token -> worked end end),
    B ! token,
    receive token -> C ! done end.
