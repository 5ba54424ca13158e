%! run: answered_by_a_helper:test/0
%! verdict: abnormal_exit
%! stateless(optimal): abnormal_exit, interleavings = 3
%% The answer comes from a helper, not from the process that is watched: nothing orders it before DOWN.
-module(answered_by_a_helper).
-export([test/0]).

test() ->
    Me = self(),
    {Server, Ref} = spawn_monitor(fun() -> receive go -> ok end end),
    spawn(fun() -> Me ! {Ref, answer}, Server ! go end),
    spawn(fun() -> Server ! go end),
    receive
        {Ref, answer} -> demonitor(Ref, [flush]);
        {'DOWN', Ref, process, Server, Reason} -> exit({no_answer, Reason})
    end.
