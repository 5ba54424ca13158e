%% A binary tree as nested tuples.
-module(tree_sort).
-export([main/0]).

main() ->
    T = lists:foldl(fun insert/2, nil, [5, 2, 8, 1, 9, 3]),
    p(T),
    p(to_list(T)),
    p(depth(T)),
    p([member(X, T) || X <- [1, 4, 9]]).

insert(X, nil) -> {nil, X, nil};
insert(X, {L, Y, R}) when X < Y -> {insert(X, L), Y, R};
insert(X, {L, Y, R}) -> {L, Y, insert(X, R)}.

to_list(nil) -> [];
to_list({L, X, R}) -> to_list(L) ++ [X | to_list(R)].

depth(nil) -> 0;
depth({L, _, R}) -> 1 + max(depth(L), depth(R)).

member(_, nil) -> false;
member(X, {_, X, _}) -> true;
member(X, {L, Y, _}) when X < Y -> member(X, L);
member(X, {_, _, R}) -> member(X, R).

p(X) -> io:format("~p~n", [X]).
