%% A process that speaks the system messages by hand.
-module(special_process).
-export([main/0]).
-export([init/1, system_continue/3, system_terminate/4, system_get_state/1, system_replace_state/2]).

main() ->
    process_flag(trap_exit, true),
    {ok, P} = proc_lib:start_link(?MODULE, init, [self()], 1000),
    P ! {add, 5}, P ! {get, self()},
    receive {value, V} -> p(V) end,
    p(sys:get_state(P)),
    p(sys:replace_state(P, fun(N) -> N * 10 end)),
    P ! {get, self()},
    receive {value, W} -> p(W) end,
    p(element(1, sys:get_status(P))),
    p(sys:terminate(P, finished)),
    receive {'EXIT', P, R} -> p(R) end.

init(Parent) -> Deb = sys:debug_options([]), proc_lib:init_ack(Parent, {ok, self()}), loop(Parent, Deb, 0).

loop(Parent, Deb, N) ->
    receive
        {system, From, Request} -> sys:handle_system_msg(Request, From, Parent, ?MODULE, Deb, N);
        {add, M} -> loop(Parent, Deb, N + M);
        {get, To} -> To ! {value, N}, loop(Parent, Deb, N)
    end.

system_continue(Parent, Deb, N) -> loop(Parent, Deb, N).
system_terminate(Reason, _, _, _) -> exit(Reason).
system_get_state(N) -> {ok, N}.
system_replace_state(F, N) -> New = F(N), {ok, New, New}.

p(X) -> io:format("~p~n", [X]).
