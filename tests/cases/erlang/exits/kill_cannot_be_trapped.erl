%! run: kill_cannot_be_trapped:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 10, transitions = 9, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% kill ends a trapping process, and its monitors see killed.
-module(kill_cannot_be_trapped).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    Self = self(),
    {P, Ref} = spawn_monitor(fun() ->
        process_flag(trap_exit, true),
        Self ! ready,
        receive {'EXIT', _, _} -> Self ! trapped end
    end),
    receive ready -> exit(P, kill) end,
    receive
        {'DOWN', Ref, process, P, R} -> ?assertEqual(killed, R);
        trapped -> error(trapped)
    end.
