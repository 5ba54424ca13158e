-module(pool).
-export([main/0]).

main() ->
    Results = pmap(fun(X) -> X * X end, lists:seq(1, 10)),
    io:format("~p~n", [Results]),
    io:format("~p~n", [pmap(fun(3) -> exit(three); (X) -> X end, [1, 2, 3])]),
    io:format("~p~n", [any_first([fun() -> timer:sleep(50), slow end, fun() -> fast end])]).

pmap(F, L) ->
    Self = self(),
    Jobs = [spawn_monitor(fun() -> Self ! {self(), F(X)} end) || X <- L],
    [collect(J) || J <- Jobs].

collect({P, M}) ->
    receive
        {P, V} -> demonitor(M, [flush]), V;
        {'DOWN', M, process, P, R} -> {failed, R}
    end.

any_first(Fs) ->
    Self = self(),
    Ref = make_ref(),
    Ps = [spawn(fun() -> Self ! {Ref, F()} end) || F <- Fs],
    receive {Ref, V} -> [exit(P, kill) || P <- Ps], V end.
