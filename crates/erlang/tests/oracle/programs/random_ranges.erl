%% rand stays in its ranges and repeats with a seed.
-module(random_ranges).
-export([main/0]).

main() ->
    rand:seed(exsss, {1, 2, 3}),
    A = [rand:uniform(100) || _ <- lists:seq(1, 50)],
    rand:seed(exsss, {1, 2, 3}),
    B = [rand:uniform(100) || _ <- lists:seq(1, 50)],
    p(A =:= B),
    p(lists:all(fun(X) -> X >= 1 andalso X =< 100 end, A)),
    F = rand:uniform(),
    p(F >= 0.0 andalso F < 1.0),
    {X, _} = rand:uniform_s(10, rand:seed_s(exsss, 42)),
    p(X >= 1 andalso X =< 10).

p(X) -> io:format("~p~n", [X]).
