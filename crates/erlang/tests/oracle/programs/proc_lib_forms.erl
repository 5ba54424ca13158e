%% Every way to start and stop a process with proc_lib.
-module(proc_lib_forms).
-export([main/0, init/1]).

main() ->
    process_flag(trap_exit, true),
    {ok, A} = proc_lib:start(?MODULE, init, [self()], 1000, [link]),
    receive {'EXIT', A, _} -> p(early) after 0 -> ok end,
    {{ok, B}, BM} = proc_lib:start_monitor(?MODULE, init, [self()], 1000),
    {{ok, C}, CM} = proc_lib:start_monitor(?MODULE, init, [self()], 1000, []),
    D = proc_lib:spawn_opt(?MODULE, init, [self()], [link]),
    receive {ack, D, {ok, D}} -> ok end,
    p(proc_lib:initial_call(D)),
    p(proc_lib:translate_initial_call(D)),
    exit(A, kill),
    receive {'EXIT', A, RA} -> p(RA) end,
    B ! stop,
    receive {'DOWN', BM, process, B, RB} -> p(RB) end,
    exit(C, boom),
    receive {'DOWN', CM, process, C, RC} -> p(RC) end,
    D ! stop,
    receive {'EXIT', D, RD} -> p(RD) end.

init(Parent) ->
    proc_lib:init_ack(Parent, {ok, self()}),
    receive stop -> ok end.

p(X) -> io:format("~p~n", [X]).
