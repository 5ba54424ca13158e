%% Clocks go forwards; units convert.
-module(clocks).
-export([main/0]).

main() ->
    T1 = erlang:monotonic_time(),
    T2 = erlang:monotonic_time(),
    p(T2 >= T1),
    M1 = erlang:monotonic_time(millisecond),
    timer:sleep(5),
    p(erlang:monotonic_time(millisecond) - M1 >= 4),
    p(is_integer(erlang:system_time(microsecond))),
    {A, B, C} = os:timestamp(),
    p(is_integer(A + B + C)),
    p(erlang:convert_time_unit(1, second, millisecond)),
    {{Y, _, _}, {_, _, _}} = calendar:universal_time(),
    p(is_integer(Y)),
    p(is_integer(erlang:time_offset())).

p(X) -> io:format("~p~n", [X]).
