%% A hand-written supervisor with a restart limit.
-module(crash_and_restart).
-export([main/0]).

main() ->
    p(supervise(fun(N) -> if N < 3 -> exit({crash, N}); true -> {finished, N} end end, 5)),
    p(supervise(fun(N) -> exit({always, N}) end, 3)).

supervise(F, Max) -> process_flag(trap_exit, true), supervise(F, 1, Max).

supervise(_, N, Max) when N > Max -> gave_up;
supervise(F, N, Max) ->
    Self = self(),
    Pid = spawn_link(fun() -> Self ! {self(), F(N)} end),
    receive
        {Pid, Result} -> receive {'EXIT', Pid, normal} -> Result end;
        {'EXIT', Pid, Reason} -> p({restarting, Reason}), supervise(F, N + 1, Max)
    end.

p(X) -> io:format("~p~n", [X]).
