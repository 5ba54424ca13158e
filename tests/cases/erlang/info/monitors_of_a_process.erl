%! run: monitors_of_a_process:test/0
%! verdict: holds
%% monitors and monitored_by are two sides of one monitor.
-module(monitors_of_a_process).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    {P, Ref} = spawn_monitor(fun() -> receive stop -> ok end end),
    ?assertEqual({monitors, [{process, P}]}, process_info(Self, monitors)),
    ?assertEqual({monitored_by, [Self]}, process_info(P, monitored_by)),
    P ! stop,
    receive {'DOWN', Ref, process, P, normal} -> ok end,
    ?assertEqual({monitors, []}, process_info(Self, monitors)).
