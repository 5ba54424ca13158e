%% Functions that old programs still call.
-module(old_functions).
-export([main/0]).

main() ->
    p(erlang:subtract([1, 2], [1])), p(is_tuple(erlang:now())), p(is_integer(erlang:system_time())),
    p(is_integer(os:system_time())), p(is_integer(os:system_time(second))), p(erlang:phash2(x, 10) < 10),
    p(lists:zf(fun(X) -> {true, X} end, [1])), p(lists:keysearch(a, 1, [{a, 1}])),
    p(lists:flatten(io_lib:format("~s", ["abc"], [{chars_limit, 10}]))),
    p(is_list(ets:all())), p(tuple_size(erlang:statistics(reductions))).

p(X) -> io:format("~p~n", [X]).
