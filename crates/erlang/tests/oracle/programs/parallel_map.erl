%% Results come back in the order of the list, whoever is first.
-module(parallel_map).
-export([main/0]).

main() ->
    p(pmap(fun(X) -> X * X end, lists:seq(1, 10))).

pmap(F, List) ->
    Self = self(),
    Pids = [spawn(fun() -> Self ! {self(), F(X)} end) || X <- List],
    [receive {Pid, R} -> R end || Pid <- Pids].

p(X) -> io:format("~p~n", [X]).
