%% proc_lib:start_link with init_ack, and spawn_link.
-module(proc_lib_start).
-export([main/0]).
-export([good/1, bad/0, late/0]).

main() ->
    process_flag(trap_exit, true),
    {ok, P} = proc_lib:start_link(?MODULE, good, [self()]),
    p(is_process_alive(P)),
    P ! stop,
    receive {'EXIT', P, R} -> p(R) end,
    p(proc_lib:start_link(?MODULE, bad, [])),
    receive {'EXIT', _, R2} -> p(R2) end,
    p(proc_lib:start(?MODULE, late, [], 10)),
    Q = proc_lib:spawn_link(fun() -> exit(done) end),
    receive {'EXIT', Q, R3} -> p(R3) end,
    S = proc_lib:spawn(?MODULE, good, [self()]),
    p(is_pid(S)),
    receive {ack, S, A} -> p(A =:= {ok, S}) end,
    S ! stop.

good(Parent) -> proc_lib:init_ack(Parent, {ok, self()}), receive stop -> ok end.
bad() -> proc_lib:init_ack({error, refused}), exit(refused).
late() -> receive never -> ok end.

p(X) -> io:format("~p~n", [X]).
