%% unique_integer in its forms.
-module(unique_integers).
-export([main/0]).

main() ->
    L = [erlang:unique_integer() || _ <- lists:seq(1, 100)],
    p(length(lists:usort(L))),
    M = [erlang:unique_integer([monotonic]) || _ <- lists:seq(1, 100)],
    p(M =:= lists:sort(M)),
    p(lists:all(fun(X) -> X > 0 end, [erlang:unique_integer([positive]) || _ <- lists:seq(1, 10)])),
    p(try erlang:unique_integer([bad]) catch error:E -> E end).

p(X) -> io:format("~p~n", [X]).
