%! run: two_lookups_are_no_snapshot:test/0
%! verdict: assertion
%% Two lookups may see an update half way.
-module(two_lookups_are_no_snapshot).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{a, 1}, {b, 1}]),
    Self = self(),
    spawn(fun() -> ets:insert(T, [{a, 2}, {b, 2}]), Self ! done end),
    [{a, A}] = ets:lookup(T, a),
    [{b, B}] = ets:lookup(T, b),
    receive done -> ok end,
    ?assertEqual(A, B).
