-module(hibernation).
-export([main/0, awake/2]).

main() ->
    P = spawn(fun() -> sleepy(0) end),
    P ! {wake, self()},
    receive {woken, N} -> io:format("woken ~p~n", [N]) end,
    P ! {wake, self()},
    receive {woken, M} -> io:format("woken ~p~n", [M]) end,
    {F, A} = lists:keyfind(awake, 1, ?MODULE:module_info(exports)),
    io:format("~p/~p ~p~n", [F, A, ?MODULE:module_info(module)]).

sleepy(N) -> try erlang:hibernate(?MODULE, awake, [N + 1, x]) catch _:_ -> never end.

awake(N, _) -> receive {wake, From} -> From ! {woken, N}, sleepy(N) end.
