%% The calendar functions that need no clock.
-module(date_arithmetic).
-export([main/0]).

main() ->
    p(calendar:date_to_gregorian_days({2024, 3, 1}) - calendar:date_to_gregorian_days({2024, 2, 1})),
    p([calendar:last_day_of_the_month(Y, 2) || Y <- [1900, 2000, 2023, 2024]]),
    p([calendar:day_of_the_week({2024, 1, D}) || D <- lists:seq(1, 7)]),
    S = calendar:datetime_to_gregorian_seconds({{2024, 12, 31}, {23, 59, 59}}),
    p(calendar:gregorian_seconds_to_datetime(S + 1)),
    p(calendar:valid_date({2023, 2, 29})),
    p(calendar:time_difference({{2024, 1, 1}, {0, 0, 0}}, {{2024, 1, 2}, {1, 0, 0}})).

p(X) -> io:format("~p~n", [X]).
