%! run: delete_all_races:test/0
%! verdict: assertion
%% Clearing the table races with a writer.
-module(delete_all_races).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{a, 1}, {b, 2}]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {c, 3}), Self ! done end),
    ets:delete_all_objects(T),
    receive done -> ok end,
    ?assertEqual([{c, 3}], ets:tab2list(T)).
