%% Directed graphs: vertices, edges, ways, cycles, components, orders, trees.
-module(directed_graphs).
-export([main/0]).
main() ->
    G = digraph:new(),
    [a, b, c, d, e] = [digraph:add_vertex(G, V) || V <- [a, b, c, d, e]],
    [digraph:add_edge(G, E, A, B, []) || {E, A, B} <- [{e1, a, b}, {e2, b, c}, {e3, c, a}, {e4, c, d}]],
    p(digraph:no_vertices(G)), p(digraph:no_edges(G)), s(digraph:vertices(G)), s(digraph:edges(G)),
    p(digraph:get_path(G, a, d)), p(digraph:get_short_path(G, a, d)), p(digraph:get_path(G, d, a)),
    p(digraph:get_cycle(G, a)), p(digraph:get_short_cycle(G, b)), p(digraph:get_cycle(G, d)),
    p(digraph:vertex(G, a)), p(digraph:vertex(G, z)), p(digraph:edge(G, e1)), p(digraph:edge(G, e9)),
    p(digraph:add_edge(G, a, zz)), p(digraph:add_edge(G, e1, a, b, new)), p(digraph:edge(G, e1)),
    p(digraph:add_edge(G, e1, b, c, [])),
    s(digraph:out_neighbours(G, c)), s(digraph:in_neighbours(G, a)), s(digraph:out_edges(G, c)), s(digraph:in_edges(G, a)), s(digraph:edges(G, c)),
    p({digraph:in_degree(G, c), digraph:out_degree(G, c)}),
    p(digraph:add_vertex(G)), p(digraph:add_vertex(G)), p(digraph:add_edge(G, d, e)), p(digraph:add_edge(G, e, e)),
    p(digraph:get_cycle(G, e)), p(digraph_utils:loop_vertices(G)),
    s(digraph_utils:reachable([d], G)), s(digraph_utils:reaching([d], G)), s(digraph_utils:reachable_neighbours([e], G)), s(digraph_utils:reaching_neighbours([d], G)),
    p(lists:sort([lists:sort(C) || C <- digraph_utils:components(G)])),
    p(lists:sort([lists:sort(C) || C <- digraph_utils:strong_components(G)])),
    p(lists:sort([lists:sort(C) || C <- digraph_utils:cyclic_strong_components(G)])),
    p(digraph_utils:topsort(G)), p(digraph_utils:is_acyclic(G)),
    C = digraph_utils:condensation(G), p(digraph:no_vertices(C)), p(digraph:no_edges(C)),
    S = digraph_utils:subgraph(G, [a, b, c, q]), s(digraph:vertices(S)), s(digraph:edges(S)), p(proplists:get_value(cyclicity, digraph:info(S))),
    p(digraph:del_edge(G, e3)), p(digraph:del_edge(G, none)), p(digraph:del_path(G, a, d)), s(digraph:edges(G)), p(digraph:del_vertex(G, c)), s(digraph:vertices(G)), s(digraph:edges(G)),
    A = digraph:new([acyclic, private]), [digraph:add_vertex(A, V) || V <- lists:seq(1, 5)],
    [digraph:add_edge(A, X, Y) || {X, Y} <- [{1, 2}, {2, 3}, {3, 4}, {4, 5}]],
    p(digraph:add_edge(A, 5, 1)), p(digraph:add_edge(A, 2, 2)), p(digraph_utils:topsort(A)), p(digraph_utils:is_tree(A)), p(digraph_utils:is_arborescence(A)), p(digraph_utils:arborescence_root(A)),
    p(digraph_utils:preorder(A) =/= []), p(digraph_utils:postorder(A)), p(digraph:source_vertices(A)), p(digraph:sink_vertices(A)),
    p([K || {K, _} <- digraph:info(A)]), p(proplists:get_value(protection, digraph:info(A))), p(proplists:get_value(cyclicity, digraph:info(A))),
    p(catch digraph:new([odd])), p(digraph:delete(A)), p(tuple_size(G)), p(digraph_utils:is_tree(digraph:new())), p(digraph_utils:arborescence_root(digraph:new())),
    L = digraph:new(), [digraph:add_vertex(L, V) || V <- [r, x, y]], digraph:add_edge(L, x, y), digraph:add_edge(L, y, x), p(digraph_utils:arborescence_root(L)), p(digraph_utils:is_tree(L)),
    p(digraph:add_vertex(L, x, label)), p(digraph:vertex(L, x)), p(digraph:del_vertices(L, [x, nobody])), p(digraph:no_edges(L)),
    M = digraph:new(), [digraph:add_vertex(M, V, {label, V}) || V <- [u, v, w]], E1 = digraph:add_edge(M, u, v, first), digraph:add_edge(M, v, w, second),
    p(digraph:edge(M, E1)), p(digraph:vertex(digraph_utils:subgraph(M, [u, v], [{keep_labels, false}]), u)),
    p(digraph:vertex(digraph_utils:subgraph(M, [u, v], [{type, [acyclic]}]), u)),
    p(digraph:del_edges(M, digraph:edges(M))), p(digraph:no_edges(M)).
p({'EXIT', {Reason, _}}) -> p(Reason);
p(X) -> io:format("~p~n", [X]).
s(X) -> p(lists:sort(X)).
