%! run: causal_order_broken:test/0
%! verdict: assertion
%% An answer can reach the third before the question that caused it.
-module(causal_order_broken).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Carl = spawn(fun() -> L = [receive {_, W} -> W end || _ <- [1, 2]], Self ! {heard, L} end),
    Bob = spawn(fun() -> receive {alice, question} -> Carl ! {bob, answer} end end),
    spawn(fun() -> Bob ! {alice, question}, Carl ! {alice, question} end),
    receive {heard, L} -> ?assertEqual([question, answer], L) end.
