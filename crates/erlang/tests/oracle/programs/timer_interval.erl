%% An interval timer ticks until it is cancelled.
-module(timer_interval).
-export([main/0]).

main() ->
    {ok, T} = timer:send_interval(5, tick),
    [receive tick -> p({tick, N}) end || N <- [1, 2, 3]],
    p(timer:cancel(T)),
    drop(),
    receive tick -> p(late) after 30 -> p(quiet) end.

drop() -> receive tick -> drop() after 10 -> ok end.

p(X) -> io:format("~p~n", [X]).
