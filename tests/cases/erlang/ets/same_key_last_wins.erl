%! run: same_key_last_wins:test/0
%! verdict: assertion
%% Two writers of one key: the later overwrites, and which is later is open.
-module(same_key_last_wins).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    [spawn(fun() -> ets:insert(T, {k, N}), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{k, 2}], ets:lookup(T, k)).
