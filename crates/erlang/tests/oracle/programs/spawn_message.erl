%% A process sends its result back.
-module(spawn_message).
-export([main/0]).

main() ->
    Self = self(),
    Pid = spawn(fun() -> Self ! {self(), 1 + 1} end),
    receive {Pid, N} -> p(N) end.

p(X) -> io:format("~p~n", [X]).
