-module(timers).
-export([main/0]).

main() ->
    erlang:send_after(30, self(), third),
    erlang:send_after(10, self(), first),
    R = erlang:start_timer(20, self(), second),
    receive first -> io:format("first~n") end,
    receive {timeout, R, second} -> io:format("second~n") end,
    receive third -> io:format("third~n") end,
    false = erlang:cancel_timer(R),
    L = erlang:send_after(5000, self(), never),
    true = is_integer(erlang:read_timer(L)),
    true = is_integer(erlang:cancel_timer(L)),
    receive never -> io:format("never~n") after 50 -> io:format("cancelled~n") end,
    {ok, T} = timer:send_interval(10, tick),
    [receive tick -> io:format("tick~n") end || _ <- [1, 2, 3]],
    {ok, cancel} = timer:cancel(T),
    timer:sleep(5),
    {Time, done} = timer:tc(fun() -> timer:sleep(20), done end),
    io:format("~p~n", [Time >= 20000]).
