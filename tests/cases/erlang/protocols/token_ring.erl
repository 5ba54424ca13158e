%! run: token_ring:test/0
%! verdict: holds
%% A token goes twice round a ring of three and comes back to where it started.
-module(token_ring).
-export([test/0]).

test() ->
    Self = self(),
    C = spawn(fun() -> node(Self, 2) end),
    B = spawn(fun() -> node(C, 2) end),
    B ! token,
    receive token -> B ! token end,
    receive token -> ok end.

node(_, 0) -> ok;
node(Next, Rounds) -> receive token -> Next ! token, node(Next, Rounds - 1) end.
