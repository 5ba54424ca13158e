%! run: selective_takes_oldest:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 7, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% Of several that match, the oldest is taken.
-module(selective_takes_oldest).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    self() ! {n, 1},
    self() ! other,
    self() ! {n, 2},
    N = receive {n, X} -> X end,
    ?assertEqual(1, N),
    receive other -> ok end,
    receive {n, 2} -> ok end.
