%! run: lazy_initialisation:test/0
%! verdict: assertion
%% Two users find the value not made yet, and it is made twice.
-module(lazy_initialisation).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {made, 0}),
    Self = self(),
    [spawn(fun() ->
        case ets:lookup(T, value) of
            [] -> ets:update_counter(T, made, 1), ets:insert(T, {value, 42});
            [_] -> ok
        end,
        Self ! done
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(1, ets:lookup_element(T, made, 2)).
