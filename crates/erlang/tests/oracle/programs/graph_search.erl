%% Breadth-first search with queue and sets.
-module(graph_search).
-export([main/0]).

main() ->
    G = #{a => [b, c], b => [d], c => [d, e], d => [f], e => [f], f => [], g => [a]},
    p(bfs(G, a)),
    p(path(G, a, f)),
    p(path(G, f, a)).

bfs(G, S) -> bfs(G, queue:in(S, queue:new()), sets:from_list([S]), []).

bfs(G, Q, Seen, Out) ->
    case queue:out(Q) of
        {empty, _} -> lists:reverse(Out);
        {{value, N}, Q1} ->
            New = [X || X <- maps:get(N, G), not sets:is_element(X, Seen)],
            bfs(G, lists:foldl(fun queue:in/2, Q1, New), lists:foldl(fun sets:add_element/2, Seen, New), [N | Out])
    end.

path(_, X, X) -> [X];
path(G, X, Y) ->
    Paths = [P || N <- maps:get(X, G), P <- [path(G, N, Y)], P =/= none],
    case Paths of
        [] -> none;
        _ -> [X | lists:last(lists:sort(fun(A, B) -> length(A) >= length(B) end, Paths))]
    end.

p(X) -> io:format("~p~n", [X]).
