%! run: monitor_self_is_silent:test/0
%! verdict: deadlock
%% A monitor on oneself never goes off.
-module(monitor_self_is_silent).
-export([test/0]).

test() ->
    Ref = monitor(process, self()),
    receive {'DOWN', Ref, _, _, _} -> ok end.
