%! run: monitor_by_name:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 10, depth = 10
%! stateless(optimal): holds, interleavings = 1
%% A monitor by name names the name in its message.
-module(monitor_by_name).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> receive go -> ok end end),
    register(worker, P),
    Ref = monitor(process, worker),
    P ! go,
    receive {'DOWN', Ref, process, {worker, Node}, normal} -> ?assertEqual(node(), Node) end.
