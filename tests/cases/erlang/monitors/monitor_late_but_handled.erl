%! run: monitor_late_but_handled:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 9, transitions = 9, depth = 5
%! stateless(optimal): holds, interleavings = 2
%% Both the real reason and noproc mean that the process is gone.
-module(monitor_late_but_handled).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> ok end),
    Ref = monitor(process, P),
    receive {'DOWN', Ref, process, P, R} -> ?assert(lists:member(R, [normal, noproc])) end.
