%! run: monitor_explicit_unalias:test/0
%! verdict: assertion
%% With explicit_unalias demonitoring is not enough: the late answer still arrives.
-module(monitor_explicit_unalias).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Server = spawn(fun() -> receive {call, A} -> A ! {A, late}, Self ! sent end end),
    Ref = monitor(process, Server, [{alias, explicit_unalias}]),
    Server ! {call, Ref},
    demonitor(Ref, [flush]),
    receive sent -> ok end,
    R = receive {Ref, late} -> late after 0 -> none end,
    ?assertEqual(none, R).
