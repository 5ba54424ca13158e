%! run: monitor_missing_name:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 4, transitions = 3, depth = 3
%! stateless(optimal): holds, interleavings = 1
%% A monitor of a name nobody has goes off at once.
-module(monitor_missing_name).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Ref = monitor(process, nobody),
    receive {'DOWN', Ref, process, {nobody, _}, R} -> ?assertEqual(noproc, R) end.
