-module(server_exits).
-behaviour(gen_server).
-export([main/0, init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    %% Trapping server: the parent's exit ends it, another's is a message.
    Self = self(),
    Parent = spawn(fun() ->
        {ok, P} = gen_server:start_link(?MODULE, {true, Self}, []),
        Self ! {server, P},
        receive go -> exit(parent_gone) end
    end),
    S = receive {server, P} -> P end,
    Ref = monitor(process, S),
    Other = spawn(fun() -> link(S), exit(other_gone) end),
    receive {info, {'EXIT', Other, R}} -> io:format("info ~p~n", [R]) end,
    Parent ! go,
    receive {terminated, R2} -> io:format("terminated ~p~n", [R2]) end,
    receive {'DOWN', Ref, _, _, R3} -> io:format("down ~p~n", [R3]) end,
    %% Not trapping: no terminate.
    {ok, Q} = gen_server:start(?MODULE, {false, Self}, []),
    Ref2 = monitor(process, Q),
    exit(Q, away),
    receive {'DOWN', Ref2, _, _, R4} -> io:format("down ~p~n", [R4]) end,
    receive {terminated, _} -> io:format("terminated~n") after 5 -> io:format("quiet~n") end,
    %% Crashing in cast, info; terminate is told.
    {ok, U} = gen_server:start(?MODULE, {false, Self}, []),
    Ref3 = monitor(process, U),
    gen_server:cast(U, crash),
    receive {terminated, {crash, [_ | _]}} -> io:format("terminated by crash~n") end,
    receive {'DOWN', Ref3, _, _, {crash, [_ | _]}} -> io:format("down by crash~n") end,
    {ok, V} = gen_server:start(?MODULE, {false, Self}, []),
    Ref4 = monitor(process, V),
    V ! stop,
    receive {terminated, R5} -> io:format("terminated ~p~n", [R5]) end,
    receive {'DOWN', Ref4, _, _, R6} -> io:format("down ~p~n", [R6]) end,
    {ok, W} = gen_server:start(?MODULE, {false, Self}, []),
    Ref5 = monitor(process, W),
    W ! bad,
    receive {terminated, R7} -> io:format("terminated ~p~n", [R7]) end,
    receive {'DOWN', Ref5, _, _, R8} -> io:format("down ~p~n", [R8]) end,
    {ok, X} = gen_server:start(?MODULE, {false, Self}, []),
    Ref6 = monitor(process, X),
    X ! badly,
    receive {terminated, R9} -> io:format("terminated ~p~n", [R9]) end,
    receive {'DOWN', Ref6, _, _, {worse, _}} -> io:format("down worse~n") end.

init({Trap, Pid}) -> process_flag(trap_exit, Trap), {ok, Pid}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(crash, _) -> error(crash).
handle_info(stop, S) -> {stop, {shutdown, asked}, S};
handle_info(bad, _) -> rubbish;
handle_info(badly, S) -> {stop, badly, S};
handle_info(M, S) -> S ! {info, M}, {noreply, S}.
terminate(badly, S) -> S ! {terminated, badly}, error(worse);
terminate(R, S) -> S ! {terminated, R}.
