%% Questions about directed graphs: what is reachable, components, orders, trees.
%% In which order vertices and components are listed is not said by Erlang's documentation and may differ.
-module(digraph_utils).
-export([components/1, strong_components/1, cyclic_strong_components/1, reachable/2, reachable_neighbours/2, reaching/2,
         reaching_neighbours/2, topsort/1, is_acyclic/1, arborescence_root/1, is_arborescence/1, is_tree/1, loop_vertices/1,
         subgraph/2, subgraph/3, condensation/1, preorder/1, postorder/1]).

reachable(Vertices, Graph) -> closed(Vertices, fun digraph:out_neighbours/2, Graph).
reaching(Vertices, Graph) -> closed(Vertices, fun digraph:in_neighbours/2, Graph).
reachable_neighbours(Vertices, Graph) -> reachable(neighbours(Vertices, fun digraph:out_neighbours/2, Graph), Graph).
reaching_neighbours(Vertices, Graph) -> reaching(neighbours(Vertices, fun digraph:in_neighbours/2, Graph), Graph).

neighbours(Vertices, Next, Graph) -> lists:usort(lists:append([Next(Graph, Vertex) || Vertex <- Vertices])).

%% Everything that can be come to from some vertices, they themselves too.
closed(Vertices, Next, Graph) ->
    {Found, _} = lists:foldl(fun(Vertex, Sofar) -> visit(Vertex, Next, Graph, Sofar) end, {[], #{}}, Vertices),
    Found.

%% Adds what a depth-first search meets to a list, those left last at its head, and to those seen.
visit(Vertex, Next, Graph, {Found, Seen}) ->
    case maps:is_key(Vertex, Seen) of
        true -> {Found, Seen};
        false ->
            {Inside, Met} = lists:foldl(fun(Other, Sofar) -> visit(Other, Next, Graph, Sofar) end,
                                        {Found, Seen#{Vertex => true}}, Next(Graph, Vertex)),
            {[Vertex | Inside], Met}
    end.

postorder(Graph) -> lists:reverse(left_last_first(Graph)).

left_last_first(Graph) ->
    {Found, _} = lists:foldl(fun(Vertex, Sofar) -> visit(Vertex, fun digraph:out_neighbours/2, Graph, Sofar) end,
                             {[], #{}}, digraph:vertices(Graph)),
    Found.

preorder(Graph) ->
    {Found, _} = lists:foldl(fun(Vertex, Sofar) -> enter(Vertex, Graph, Sofar) end, {[], #{}}, digraph:vertices(Graph)),
    lists:reverse(Found).

enter(Vertex, Graph, {Found, Seen}) ->
    case maps:is_key(Vertex, Seen) of
        true -> {Found, Seen};
        false ->
            lists:foldl(fun(Other, Sofar) -> enter(Other, Graph, Sofar) end, {[Vertex | Found], Seen#{Vertex => true}},
                        digraph:out_neighbours(Graph, Vertex))
    end.

topsort(Graph) ->
    Order = left_last_first(Graph),
    case is_ordered(Order, Graph) of
        true -> Order;
        false -> false
    end.

%% Whether every edge goes from an earlier vertex to a later one.
is_ordered(Order, Graph) ->
    Places = maps:from_list(lists:zip(Order, lists:seq(1, length(Order)))),
    lists:all(fun(Edge) ->
                  {_, From, To, _} = digraph:edge(Graph, Edge),
                  maps:get(From, Places) < maps:get(To, Places)
              end, digraph:edges(Graph)).

is_acyclic(Graph) -> topsort(Graph) =/= false.
loop_vertices(Graph) -> [Vertex || Vertex <- digraph:vertices(Graph), has_loop(Vertex, Graph)].
has_loop(Vertex, Graph) -> lists:member(Vertex, digraph:out_neighbours(Graph, Vertex)).

components(Graph) ->
    Both = fun(G, Vertex) -> digraph:in_neighbours(G, Vertex) ++ digraph:out_neighbours(G, Vertex) end,
    trees(digraph:vertices(Graph), Both, Graph).

%% By two searches: what can still be come to backwards, from those that were left last.
strong_components(Graph) -> trees(left_last_first(Graph), fun digraph:in_neighbours/2, Graph).

trees(Order, Next, Graph) ->
    {Trees, _} = lists:foldl(fun(Vertex, {Known, Seen}) ->
                                 case visit(Vertex, Next, Graph, {[], Seen}) of
                                     {[], _} -> {Known, Seen};
                                     {Tree, Met} -> {[Tree | Known], Met}
                                 end
                             end, {[], #{}}, Order),
    Trees.

cyclic_strong_components(Graph) ->
    [Component || Component <- strong_components(Graph),
                  length(Component) > 1 orelse has_loop(hd(Component), Graph)].

condensation(Graph) ->
    Components = strong_components(Graph),
    Home = maps:from_list([{Vertex, Component} || Component <- Components, Vertex <- Component]),
    Made = digraph:new(),
    [digraph:add_vertex(Made, Component) || Component <- Components],
    Pairs = lists:usort([{maps:get(From, Home), maps:get(To, Home)}
                         || Edge <- digraph:edges(Graph), {_, From, To, _} <- [digraph:edge(Graph, Edge)]]),
    [digraph:add_edge(Made, From, To) || {From, To} <- Pairs, From =/= To],
    Made.

subgraph(Graph, Vertices) -> subgraph(Graph, Vertices, []).
subgraph(Graph, Vertices, Options) ->
    KeepsLabels = case [Keep || {keep_labels, Keep} <- Options] of
                      [] -> true;
                      [Keep | _] -> Keep
                  end,
    Type = case [Kind || {type, Kind} <- Options] of
               [Kind | _] when is_list(Kind) -> Kind;
               _ -> [Word || {_, Word} <- digraph:info(Graph), Word =:= cyclic orelse Word =:= acyclic
                                                              orelse Word =:= protected orelse Word =:= private]
           end,
    Made = try digraph:new(Type) catch error:badarg -> error(badarg) end,
    Known = [Found || Vertex <- Vertices, Found <- [digraph:vertex(Graph, Vertex)], Found =/= false],
    Label = fun(Own) when KeepsLabels -> Own; (_) -> [] end,
    [digraph:add_vertex(Made, Vertex, Label(Own)) || {Vertex, Own} <- Known],
    [digraph:add_edge(Made, Edge, Vertex, To, Label(Own))
     || {Vertex, _} <- Known, Edge <- digraph:out_edges(Graph, Vertex), {_, _, To, Own} <- [digraph:edge(Graph, Edge)],
        digraph:vertex(Made, To) =/= false],
    Made.

%%% Trees.

is_tree(Graph) ->
    digraph:no_edges(Graph) =:= digraph:no_vertices(Graph) - 1 andalso length(components(Graph)) =:= 1.

is_arborescence(Graph) -> arborescence_root(Graph) =/= no.

arborescence_root(Graph) ->
    case digraph:no_edges(Graph) =:= digraph:no_vertices(Graph) - 1 of
        true ->
            Degrees = [{digraph:in_degree(Graph, Vertex), Vertex} || Vertex <- digraph:vertices(Graph)],
            Roots = [Vertex || {0, Vertex} <- Degrees],
            case {Roots, [N || {N, _} <- Degrees, N > 1]} of
                {[Root], []} -> {yes, Root};
                _ -> no
            end;
        false -> no
    end.
