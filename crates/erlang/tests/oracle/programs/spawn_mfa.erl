%% spawn/3 calls an exported function.
-module(spawn_mfa).
-export([main/0]).
-export([child/2]).

main() ->
    spawn(?MODULE, child, [self(), 20]),
    receive {result, N} -> p(N) end,
    spawn_link(?MODULE, child, [self(), 21]),
    receive {result, M} -> p(M) end.

child(Parent, N) -> Parent ! {result, N * 2}.

p(X) -> io:format("~p~n", [X]).
