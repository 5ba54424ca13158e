%! run: restart_once:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 10, transitions = 9, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% A supervisor by hand: it starts its worker again after the first failure and reports the second result.
-module(restart_once).
-export([test/0]).
-concuerror_options([{treat_as_normal, crash}]).

test() ->
    supervise([fun() -> exit(crash) end, fun() -> ok end]).

supervise([]) -> error(out_of_tries);
supervise([F | Rest]) ->
    {P, Ref} = spawn_monitor(F),
    receive
        {'DOWN', Ref, process, P, normal} -> ok;
        {'DOWN', Ref, process, P, _} -> supervise(Rest)
    end.
