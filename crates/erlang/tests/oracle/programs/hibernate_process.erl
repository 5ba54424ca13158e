%% A process hibernates and goes on in another function.
-module(hibernate_process).
-export([main/0]).
-export([awake/1]).

main() ->
    Pid = spawn(fun() -> erlang:hibernate(?MODULE, awake, [self()]) end),
    Pid ! {self(), hi},
    receive M -> p(M) end.

awake(Me) -> receive {From, X} -> From ! {woken, X, Me =:= self()} end.

p(X) -> io:format("~p~n", [X]).
