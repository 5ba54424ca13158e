%! run: exit_caught_inside:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 6, transitions = 5, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% A process can catch its own exit/1, and then it ends normally.
-module(exit_caught_inside).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {P, Ref} = spawn_monitor(fun() -> try exit(bye) catch exit:bye -> ok end end),
    receive {'DOWN', Ref, process, P, R} -> ?assertEqual(normal, R) end.
