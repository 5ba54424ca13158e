%! run: persistent_term_last_wins:test/0
%! verdict: assertion
%% Two writers of one key; the last one stays.
-module(persistent_term_last_wins).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> persistent_term:put(key, N), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(2, persistent_term:get(key)).
