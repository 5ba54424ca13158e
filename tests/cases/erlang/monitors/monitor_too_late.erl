%! run: monitor_too_late:test/0
%! verdict: assertion
%% Between spawn and monitor the process may end, and then the reason is noproc.
-module(monitor_too_late).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> ok end),
    Ref = monitor(process, P),
    receive {'DOWN', Ref, process, P, R} -> ?assertEqual(normal, R) end.
