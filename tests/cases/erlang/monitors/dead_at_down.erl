%! run: dead_at_down:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 7, transitions = 6, depth = 6
%! stateless(optimal): holds, interleavings = 1
%% When DOWN is seen the process is not alive.
-module(dead_at_down).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {P, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, P, normal} -> ok end,
    ?assertEqual(false, is_process_alive(P)).
