-module(exits).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    show(fun() -> ok end),
    show(fun() -> exit(normal) end),
    show(fun() -> exit({shutdown, x}) end),
    show(fun() -> exit(kill) end),
    show(fun() -> throw(ball) end),
    show(fun() -> error(bad) end),
    show(fun() -> 1 div (length([]) ) end),
    show(fun() -> {ok, _} = lists:keyfind(a, 1, []) end),
    show(fun() -> (fun(1) -> ok end)(2) end),
    show(fun() -> apply(nosuch, f, [1]) end),
    killed(normal), killed(kill), killed(other),
    trapped(normal), trapped(kill), trapped(other),
    chain(3).

show(F) ->
    P = spawn_link(F),
    receive
        {'EXIT', P, {Reason, Stack}} when is_list(Stack) -> io:format("~p + stack~n", [Reason]);
        {'EXIT', P, Reason} -> io:format("~p~n", [Reason])
    end.

killed(Reason) ->
    P = spawn(fun() -> receive stop -> ok end end),
    M = monitor(process, P),
    exit(P, Reason),
    P ! stop,
    receive {'DOWN', M, process, P, R} -> io:format("exit ~p: ~p~n", [Reason, R]) end.

trapped(Reason) ->
    Self = self(),
    P = spawn(fun() ->
        process_flag(trap_exit, true),
        Self ! ready,
        receive {'EXIT', From, R} -> exit({got, From =:= Self, R}) end
    end),
    M = monitor(process, P),
    receive ready -> ok end,
    exit(P, Reason),
    receive {'DOWN', M, process, P, R} -> io:format("trapped ~p: ~p~n", [Reason, R]) end.

chain(N) ->
    P = spawn_link(fun() -> link_down(N) end),
    receive {'EXIT', P, R} -> io:format("chain: ~p~n", [R]) end.

link_down(0) -> exit(end_of_chain);
link_down(N) -> spawn_link(fun() -> link_down(N - 1) end), receive never -> ok end.
