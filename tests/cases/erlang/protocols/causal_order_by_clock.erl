%! run: causal_order_by_clock:test/0
%! verdict: holds
%% The answer carries what it depends on, and the third waits for that first.
-module(causal_order_by_clock).
-export([test/0]).

test() ->
    Self = self(),
    Carl = spawn(fun() ->
        receive {alice, [], question} -> ok end,
        receive {bob, [alice], answer} -> ok end,
        Self ! heard_in_order
    end),
    Bob = spawn(fun() -> receive {alice, [], question} -> Carl ! {bob, [alice], answer} end end),
    spawn(fun() -> Bob ! {alice, [], question}, Carl ! {alice, [], question} end),
    receive heard_in_order -> ok end.
