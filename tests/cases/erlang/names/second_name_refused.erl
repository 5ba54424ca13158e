%! run: second_name_refused:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 7, transitions = 6, depth = 6
%! stateless(optimal): holds, interleavings = 1
%% A process has at most one name; the second register fails and the first stays.
-module(second_name_refused).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    register(one, self()),
    R = try register(two, self()) catch error:badarg -> refused end,
    ?assertEqual(refused, R),
    ?assertEqual(self(), whereis(one)),
    ?assertEqual(undefined, whereis(two)).
