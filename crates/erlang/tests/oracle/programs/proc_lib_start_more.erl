-module(proc_lib_start_more).
-export([main/0, good/1, bad/0, dies/0, silent/0, deep/1]).

main() ->
    process_flag(trap_exit, true),
    {ok, P} = proc_lib:start_link(?MODULE, good, [self()]),
    P ! {ask, self()},
    receive {answer, A} -> io:format("~p~n", [A]) end,
    P ! stop,
    receive {'EXIT', P, R0} -> io:format("~p~n", [R0]) end,
    io:format("~p~n", [proc_lib:start_link(?MODULE, bad, [])]),
    receive {'EXIT', _, R1} -> io:format("~p~n", [R1]) end,
    io:format("~p~n", [proc_lib:start_link(?MODULE, dies, [])]),
    io:format("~p~n", [proc_lib:start(?MODULE, dies, [])]),
    io:format("~p~n", [proc_lib:start(?MODULE, silent, [], 5)]),
    {{ok, Q}, Ref} = proc_lib:start_monitor(?MODULE, good, [self()]),
    Q ! stop,
    receive {'DOWN', Ref, process, Q, R2} -> io:format("~p~n", [R2]) end,
    Self = self(),
    Spawned = proc_lib:spawn_link(fun() -> Self ! {ancestors, get('$ancestors')}, exit(over) end),
    receive {ancestors, L} -> io:format("~p~n", [L =:= [self()]]) end,
    receive {'EXIT', Spawned, R3} -> io:format("~p~n", [R3]) end,
    register(top, self()),
    proc_lib:spawn(?MODULE, deep, [self()]),
    receive {ancestors, [B, top]} when is_pid(B) -> io:format("named~n") end,
    H = proc_lib:spawn_link(fun() -> proc_lib:hibernate(?MODULE, good, [self()]) end),
    H ! {ask, self()},
    receive {answer, C} -> io:format("~p~n", [C]) end.

good(_) ->
    proc_lib:init_ack({ok, self()}),
    loop().
loop() ->
    receive
        {ask, From} -> From ! {answer, 42}, loop();
        stop -> ok
    end.
bad() -> proc_lib:init_ack({error, bad}), exit(after_ack).
dies() -> exit(died).
silent() -> timer:sleep(50).
deep(To) -> proc_lib:spawn(fun() -> To ! {ancestors, get('$ancestors')} end).
