%% Directed graphs in tables: one of vertices, one of edges, one of each vertex's edges.
%% In which order vertices and edges are listed is not said by Erlang's documentation and may differ.
-module(digraph).
-export([new/0, new/1, delete/1, info/1, add_vertex/1, add_vertex/2, add_vertex/3, del_vertex/2, del_vertices/2, vertex/2,
         no_vertices/1, vertices/1, source_vertices/1, sink_vertices/1, add_edge/3, add_edge/4, add_edge/5, del_edge/2,
         del_edges/2, del_path/3, edge/2, no_edges/1, edges/1, edges/2, out_neighbours/2, in_neighbours/2, out_edges/2,
         in_edges/2, out_degree/2, in_degree/2, get_path/3, get_cycle/2, get_short_path/3, get_short_cycle/2]).

%% Vertices are {V, Label}; edges {E, V1, V2, Label}; ends {{out, V1}, E}, {{in, V2}, E}, and counters of made-up names.
-record(digraph, {vtab, etab, ntab, cyclic = true}).

new() -> new([]).
new(Options) ->
    {Access, Cyclic} = options(Options, Options, protected, true),
    Vertices = ets:new(vertices, [set, Access]),
    Edges = ets:new(edges, [set, Access]),
    Ends = ets:new(neighbours, [bag, Access]),
    ets:insert(Ends, [{'$vid', 0}, {'$eid', 0}]),
    #digraph{vtab = Vertices, etab = Edges, ntab = Ends, cyclic = Cyclic}.

options([], _, Access, Cyclic) -> {Access, Cyclic};
options([private | Rest], All, _, Cyclic) -> options(Rest, All, private, Cyclic);
options([protected | Rest], All, _, Cyclic) -> options(Rest, All, protected, Cyclic);
options([cyclic | Rest], All, Access, _) -> options(Rest, All, Access, true);
options([acyclic | Rest], All, Access, _) -> options(Rest, All, Access, false);
options(_, All, _, _) -> error(badarg, [All]).

delete(#digraph{vtab = Vertices, etab = Edges, ntab = Ends}) ->
    ets:delete(Vertices),
    ets:delete(Edges),
    ets:delete(Ends).

info(#digraph{vtab = Vertices, etab = Edges, ntab = Ends, cyclic = Cyclic}) ->
    Kind = case Cyclic of true -> cyclic; false -> acyclic end,
    Words = lists:sum([ets:info(Table, memory) || Table <- [Vertices, Edges, Ends]]),
    [{cyclicity, Kind}, {memory, Words}, {protection, ets:info(Vertices, protection)}].

%%% Vertices.

add_vertex(Graph) -> add_vertex(Graph, made_up(Graph, '$vid', '$v'), []).
add_vertex(Graph, Vertex) -> add_vertex(Graph, Vertex, []).
add_vertex(#digraph{vtab = Vertices}, Vertex, Label) ->
    ets:insert(Vertices, {Vertex, Label}),
    Vertex.

del_vertex(Graph, Vertex) -> del_vertices(Graph, [Vertex]).
del_vertices(#digraph{vtab = Vertices, ntab = Ends} = Graph, List) ->
    lists:foreach(fun(Vertex) ->
                      del_edges(Graph, edges(Graph, Vertex)),
                      ets:delete(Ends, {out, Vertex}),
                      ets:delete(Ends, {in, Vertex}),
                      ets:delete(Vertices, Vertex)
                  end, List),
    true.

vertex(#digraph{vtab = Vertices}, Vertex) ->
    case ets:lookup(Vertices, Vertex) of
        [] -> false;
        [Found] -> Found
    end.
no_vertices(#digraph{vtab = Vertices}) -> ets:info(Vertices, size).
vertices(#digraph{vtab = Vertices}) -> ets:select(Vertices, [{{'$1', '_'}, [], ['$1']}]).
source_vertices(Graph) -> [Vertex || Vertex <- vertices(Graph), in_degree(Graph, Vertex) =:= 0].
sink_vertices(Graph) -> [Vertex || Vertex <- vertices(Graph), out_degree(Graph, Vertex) =:= 0].

%%% Edges.

add_edge(Graph, From, To) -> add_edge(Graph, From, To, []).
add_edge(Graph, From, To, Label) -> add_edge(Graph, made_up(Graph, '$eid', '$e'), From, To, Label).
add_edge(#digraph{vtab = Vertices, etab = Edges} = Graph, Edge, From, To, Label) ->
    Missing = [Vertex || Vertex <- [From, To], not ets:member(Vertices, Vertex)],
    case {Missing, ets:lookup(Edges, Edge)} of
        {[Vertex | _], _} -> {error, {bad_vertex, Vertex}};
        {[], [{_, From, To, _}]} ->
            ets:insert(Edges, {Edge, From, To, Label}),
            Edge;
        {[], [_]} -> {error, {bad_edge, [From, To]}};
        {[], []} -> add_new(Graph, Edge, From, To, Label)
    end.

add_new(#digraph{cyclic = false}, _, Same, Same, _) -> {error, {bad_edge, [Same, Same]}};
add_new(#digraph{etab = Edges, ntab = Ends, cyclic = Cyclic} = Graph, Edge, From, To, Label) ->
    case not Cyclic andalso get_path(Graph, To, From) of
        false ->
            ets:insert(Ends, [{{out, From}, Edge}, {{in, To}, Edge}]),
            ets:insert(Edges, {Edge, From, To, Label}),
            Edge;
        Path -> {error, {bad_edge, Path}}
    end.

del_edge(Graph, Edge) -> del_edges(Graph, [Edge]).
del_edges(#digraph{etab = Edges, ntab = Ends}, List) ->
    lists:foreach(fun(Edge) ->
                      case ets:lookup(Edges, Edge) of
                          [{_, From, To, _}] ->
                              ets:delete_object(Ends, {{out, From}, Edge}),
                              ets:delete_object(Ends, {{in, To}, Edge}),
                              ets:delete(Edges, Edge);
                          [] -> ok
                      end
                  end, List),
    true.

del_path(Graph, From, To) ->
    case get_path(Graph, From, To) of
        false -> true;
        Path ->
            del_along(Graph, Path),
            del_path(Graph, From, To)
    end.

del_along(Graph, [From, To | Rest]) ->
    del_edges(Graph, [Edge || Edge <- out_edges(Graph, From), element(3, edge(Graph, Edge)) =:= To]),
    del_along(Graph, [To | Rest]);
del_along(_, _) -> true.

edge(#digraph{etab = Edges}, Edge) ->
    case ets:lookup(Edges, Edge) of
        [] -> false;
        [Found] -> Found
    end.
no_edges(#digraph{etab = Edges}) -> ets:info(Edges, size).
edges(#digraph{etab = Edges}) -> ets:select(Edges, [{{'$1', '_', '_', '_'}, [], ['$1']}]).
edges(Graph, Vertex) ->
    Out = out_edges(Graph, Vertex),
    %% An edge from a vertex to itself is listed once.
    Out ++ [Edge || Edge <- in_edges(Graph, Vertex), not lists:member(Edge, Out)].

out_edges(Graph, Vertex) -> ends(Graph, {out, Vertex}).
in_edges(Graph, Vertex) -> ends(Graph, {in, Vertex}).
out_neighbours(Graph, Vertex) -> [element(3, edge(Graph, Edge)) || Edge <- out_edges(Graph, Vertex)].
in_neighbours(Graph, Vertex) -> [element(2, edge(Graph, Edge)) || Edge <- in_edges(Graph, Vertex)].
out_degree(Graph, Vertex) -> length(out_edges(Graph, Vertex)).
in_degree(Graph, Vertex) -> length(in_edges(Graph, Vertex)).

%% The edges that end so, the last one added first.
ends(#digraph{ntab = Ends}, Key) -> lists:reverse([Edge || {_, Edge} <- ets:lookup(Ends, Key)]).

made_up(#digraph{ntab = Ends}, Counter, Name) ->
    [{Counter, N}] = ets:lookup(Ends, Counter),
    ets:delete(Ends, Counter),
    ets:insert(Ends, {Counter, N + 1}),
    [Name | N].

%%% Ways: of at least one edge.

get_path(Graph, From, To) -> deep([{From, out_neighbours(Graph, From)}], #{}, To, Graph).

%% Depth first; `Open` is the way to where we are with the neighbours still to be tried at each vertex.
deep([], _, _, _) -> false;
deep([{_, []} | Open], Seen, To, Graph) -> deep(Open, Seen, To, Graph);
deep([{Vertex, [To | _]} | Open], _, To, _) ->
    lists:reverse([To, Vertex | [Before || {Before, _} <- Open]]);
deep([{Vertex, [Next | Others]} | Open], Seen, To, Graph) ->
    Here = {Vertex, Others},
    case Seen of
        #{Next := true} -> deep([Here | Open], Seen, To, Graph);
        #{} -> deep([{Next, out_neighbours(Graph, Next)}, Here | Open], Seen#{Next => true}, To, Graph)
    end.

get_cycle(Graph, Vertex) ->
    Others = [Other || Other <- out_neighbours(Graph, Vertex), Other =/= Vertex],
    case deep([{Vertex, Others}], #{}, Vertex, Graph) of
        false ->
            case lists:member(Vertex, out_neighbours(Graph, Vertex)) of
                true -> [Vertex];
                false -> false
            end;
        Cycle -> Cycle
    end.

get_short_path(Graph, From, To) -> wide(queue:from_list([From]), #{}, From, To, Graph).
get_short_cycle(Graph, Vertex) -> get_short_path(Graph, Vertex, Vertex).

%% Breadth first; `Before` has the vertex from which each was first reached.
wide(Open, Before, From, To, Graph) ->
    case queue:out(Open) of
        {empty, _} -> false;
        {{value, Vertex}, Rest} ->
            New = fresh(out_neighbours(Graph, Vertex), Before, []),
            Reached = lists:foldl(fun(Next, Known) -> Known#{Next => Vertex} end, Before, New),
            case Reached of
                #{To := Last} -> way_back(Last, From, Reached, [To]);
                #{} -> wide(lists:foldl(fun queue:in/2, Rest, New), Reached, From, To, Graph)
            end
    end.

fresh([], _, New) -> lists:reverse(New);
fresh([Next | Rest], Before, New) ->
    case maps:is_key(Next, Before) orelse lists:member(Next, New) of
        true -> fresh(Rest, Before, New);
        false -> fresh(Rest, Before, [Next | New])
    end.

way_back(From, From, _, Way) -> [From | Way];
way_back(Vertex, From, Before, Way) -> way_back(maps:get(Vertex, Before), From, Before, [Vertex | Way]).
