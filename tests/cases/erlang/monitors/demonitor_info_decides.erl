%! run: demonitor_info_decides:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 14, transitions = 19, depth = 6
%! stateless(optimal): holds, interleavings = 2
%% When info says false the DOWN is in the mailbox and can be waited for.
-module(demonitor_info_decides).
-export([test/0]).

test() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    case demonitor(Ref, [info]) of
        true -> receive {'DOWN', Ref, _, _, _} -> error(too_late) after 0 -> ok end;
        false -> receive {'DOWN', Ref, process, _, normal} -> ok end
    end.
