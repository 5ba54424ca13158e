%! run: match_delete_takes_the_late_too:test/0
%! verdict: assertion
%% Deleting by pattern removes or misses an object that is written at the same time.
-module(match_delete_takes_the_late_too).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {1, old}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {2, old}), Self ! done end),
    ets:match_delete(T, {'_', old}),
    receive done -> ok end,
    ?assertEqual(0, ets:info(T, size)).
