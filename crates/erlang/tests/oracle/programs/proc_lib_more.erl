%% The other forms of proc_lib.
-module(proc_lib_more).
-export([main/0]).
-export([init/2, plain/1]).

main() ->
    process_flag(trap_exit, true),
    {ok, P} = proc_lib:start_link(?MODULE, init, [self(), x], infinity, []),
    receive {'EXIT', P, R} -> p(R) end,
    Q = proc_lib:spawn_link(?MODULE, plain, [self()]),
    receive {Q, A} -> p(A) end,
    receive {'EXIT', Q, R2} -> p(R2) end,
    S = proc_lib:spawn(fun() -> ok end),
    p(is_pid(S)),
    T = proc_lib:spawn_opt(fun() -> exit(via_opt) end, [link]),
    receive {'EXIT', T, R3} -> p(R3) end,
    p(proc_lib:start_link(erlang, exit, [early])),
    receive {'EXIT', _, R4} -> p(R4) after 20 -> p(already_told) end.

init(Parent, X) -> proc_lib:init_ack(Parent, {ok, self()}), exit({ended, X}).
plain(To) -> To ! {self(), get('$initial_call')}.

p(X) -> io:format("~p~n", [X]).
