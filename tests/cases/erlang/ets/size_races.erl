%! run: size_races:test/0
%! verdict: assertion
%% The size is a snapshot.
-module(size_races).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {K}), Self ! done end) || K <- [1, 2]],
    N = ets:info(T, size),
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(0, N).
