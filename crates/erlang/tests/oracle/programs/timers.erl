-module(timers).
-export([main/0, tell/2]).

main() ->
    {ok, _} = timer:send_after(10, one),
    {ok, _} = timer:send_after(60, self(), two),
    {ok, _} = timer:apply_after(35, ?MODULE, tell, [self(), applied]),
    wait(3),
    {ok, T} = timer:send_after(20, never),
    {ok, cancel} = timer:cancel(T),
    quiet(40),
    {ok, I} = timer:send_interval(20, tick),
    wait(3),
    {ok, cancel} = timer:cancel(I),
    flush(tick),
    {ok, J} = timer:apply_interval(20, ?MODULE, tell, [self(), again]),
    wait(2),
    {ok, cancel} = timer:cancel(J),
    flush(again),
    P = spawn(fun() -> receive after infinity -> ok end end),
    Ref = monitor(process, P),
    {ok, _} = timer:exit_after(10, P, late),
    receive {'DOWN', Ref, _, _, R} -> io:format("~p~n", [R]) end,
    Q = spawn(fun() -> receive after infinity -> ok end end),
    Ref2 = monitor(process, Q),
    {ok, _} = timer:kill_after(10, Q),
    receive {'DOWN', Ref2, _, _, R2} -> io:format("~p~n", [R2]) end,
    io:format("~p ~p ~p~n", [timer:sleep(5), timer:seconds(2), timer:hms(1, 2, 3)]).

tell(To, What) -> To ! What.
wait(0) -> ok;
wait(N) -> receive M -> io:format("~p~n", [M]) end, wait(N - 1).
quiet(T) -> receive M -> io:format("unexpected ~p~n", [M]) after T -> io:format("quiet~n") end.
%% One more may come while the timer is being cancelled.
flush(What) -> receive What -> flush(What) after 50 -> ok end.
