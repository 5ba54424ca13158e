%% Futures: start now, wait later; failures travel.
-module(future_values).
-export([main/0]).

main() ->
    F1 = async(fun() -> lists:sum(lists:seq(1, 100)) end),
    F2 = async(fun() -> error(failed) end),
    F3 = async(fun() -> receive never -> ok end end),
    p(await(F1, 1000)), p(await(F2, 1000)), p(await(F3, 10)).

async(F) ->
    Self = self(), Tag = make_ref(),
    {Pid, M} = spawn_monitor(fun() -> Self ! {Tag, F()} end),
    {Pid, M, Tag}.

await({Pid, M, Tag}, T) ->
    receive
        {Tag, V} -> demonitor(M, [flush]), {ok, V};
        {'DOWN', M, process, Pid, {R, _}} -> {error, R}
    after T ->
        exit(Pid, kill), demonitor(M, [flush]), timeout
    end.

p(X) -> io:format("~p~n", [X]).
