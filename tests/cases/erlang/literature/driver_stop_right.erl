%! run: driver_stop_right:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 42, transitions = 63, depth = 12
%! stateless(optimal): holds, interleavings = 3
%% The driver enters first and tests then: while it is counted in, the stopper does not finish.
-module(driver_stop_right).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{stopping, false}, {pending, 1}, {stopped, false}]),
    Self = self(),
    spawn(fun() ->
        ets:insert(T, {stopping, true}),
        case ets:update_counter(T, pending, -1) of 0 -> ets:insert(T, {stopped, true}); _ -> ok end,
        Self ! done
    end),
    ets:update_counter(T, pending, 1),
    R = case ets:lookup_element(T, stopping, 2) of
        true -> false;
        false -> ets:lookup_element(T, stopped, 2)
    end,
    receive done -> ok end,
    ?assertEqual(false, R).
