%! run: monitor_with_a_tag:test/0
%! verdict: holds
%% A monitor's message may carry a tag of one's own.
-module(monitor_with_a_tag).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive stop -> ok end end),
    Ref = monitor(process, P, [{tag, {gone, worker}}]),
    P ! stop,
    receive {{gone, worker}, Ref, process, P, normal} -> ok end.
