%! run: match_object_races:test/0
%! verdict: assertion
%% match_object may come before the object it looks for.
-module(match_object_races).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {1, red}), Self ! done end),
    L = ets:match_object(T, {'_', red}),
    receive done -> ok end,
    ?assertEqual([{1, red}], L).
