%! run: select_count_races:test/0
%! verdict: assertion
%% How many match depends on how far the writers are.
-module(select_count_races).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {K, red}), Self ! done end) || K <- [1, 2]],
    receive done -> ok end,
    N = ets:select_count(T, [{{'_', red}, [], [true]}]),
    receive done -> ok end,
    ?assertEqual(1, N).
