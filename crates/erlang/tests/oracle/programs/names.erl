-module(names).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive {stop, From} -> From ! stopped end end),
    true = register(server, P),
    io:format("~p ~p~n", [whereis(server) =:= P, lists:member(server, registered())]),
    io:format("~p~n", [catch_class(fun() -> register(server, self()) end)]),
    M = monitor(process, server),
    server ! {stop, self()},
    receive stopped -> ok end,
    receive {'DOWN', M, process, {server, Node}, R} -> io:format("~p ~p~n", [Node, R]) end,
    io:format("~p ~p~n", [whereis(server), catch_class(fun() -> server ! x end)]),
    {server, node()} ! ignored,
    register(main, self()),
    main ! hello,
    receive hello -> io:format("hello~n") end,
    unregister(main),
    io:format("~p~n", [catch_class(fun() -> unregister(main) end)]).

catch_class(F) -> try F() of V -> {value, V} catch C:R -> {C, R} end.
