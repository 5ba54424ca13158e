%! run: match_of_other_objects:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 17, transitions = 22, depth = 10
%! stateless(optimal): holds, interleavings = 1
%% A match that cannot see what the writer writes does not care when it is written.
-module(match_of_other_objects).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {1, blue}),
    Self = self(),
    spawn(fun() -> ets:insert(T, {2, red}), Self ! done end),
    L = ets:match(T, {'$1', blue}),
    receive done -> ok end,
    ?assertEqual([[1]], L).
