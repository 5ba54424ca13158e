%! run: chain_with_a_gap:test/0
%! verdict: deadlock
%% The middle of the chain ends normally when told, so nobody takes the last one down.
-module(chain_with_a_gap).
-export([test/0]).

test() ->
    Self = self(),
    Middle = spawn(fun() ->
        spawn_link(fun() -> receive never -> ok end end),
        Self ! ready,
        receive stop -> ok end
    end),
    receive ready -> Middle ! stop end.
