%! run: monitor_name_too_late:test/0
%! verdict: assertion
%% The name may be free again when it is monitored.
-module(monitor_name_too_late).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    register(worker, spawn(fun() -> receive go -> ok end end)),
    worker ! go,
    Ref = monitor(process, worker),
    receive {'DOWN', Ref, process, _, R} -> ?assertEqual(normal, R) end.
