%% erlang:send_after, start_timer, cancel and read.
-module(timer_send_after).
-export([main/0]).

main() ->
    erlang:send_after(5, self(), hello),
    receive M -> p(M) end,
    Ref = erlang:start_timer(5, self(), tick),
    receive {timeout, Ref, T} -> p(T) end,
    Long = erlang:send_after(100000, self(), never),
    Left = erlang:read_timer(Long),
    p(is_integer(Left) andalso Left > 90000),
    C = erlang:cancel_timer(Long),
    p(is_integer(C)),
    p(erlang:cancel_timer(Long)),
    p(erlang:read_timer(Long)),
    receive never -> p(never) after 10 -> p(cancelled) end.

p(X) -> io:format("~p~n", [X]).
