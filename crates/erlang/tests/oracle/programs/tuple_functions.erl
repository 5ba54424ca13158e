%% Everything tuples can do.
-module(tuple_functions).
-export([main/0]).

main() ->
    T = {a, b, c},
    p(element(2, T)), p(setelement(2, T, x)), p(tuple_size(T)), p(tuple_to_list(T)), p(list_to_tuple([1, 2])),
    p(erlang:append_element(T, d)), p(erlang:delete_element(1, T)), p(erlang:insert_element(4, T, z)),
    p(erlang:make_tuple(2, [])), p(erlang:make_tuple(4, 0, [{2, x}, {4, y}])),
    p([try F() catch error:E -> E end || F <- [fun() -> element(4, T) end, fun() -> setelement(0, T, x) end,
                                                 fun() -> erlang:delete_element(9, T) end]]).

p(X) -> io:format("~p~n", [X]).
