%% Timers with different times fire in the order of their times.
-module(timer_order).
-export([main/0]).

main() ->
    [erlang:send_after(T, self(), T) || T <- [60, 20, 100, 1]],
    p([receive M -> M end || _ <- lists:seq(1, 4)]).

p(X) -> io:format("~p~n", [X]).
