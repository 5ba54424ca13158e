%! run: driver_stop:test/0
%! verdict: assertion
%% A driver tests its stop flag and then works; the stopper may finish between the two.
-module(driver_stop).
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
    R = case ets:lookup_element(T, stopping, 2) of
        true -> false;
        false -> ets:update_counter(T, pending, 1), ets:lookup_element(T, stopped, 2)
    end,
    receive done -> ok end,
    ?assertEqual(false, R).
