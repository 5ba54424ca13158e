%% Sets as general balanced trees; elements are compared with ==. How they balance: gb_trees.
%% A set is {Size, Node}; a node is nil or {Element, Smaller, Larger}.
-module(gb_sets).

-export([empty/0, new/0, is_empty/1, size/1, singleton/1, is_member/2, is_element/2, insert/2,
         add/2, add_element/2, delete/2, delete_any/2, del_element/2, balance/1, union/1,
         union/2, intersection/1, intersection/2, is_disjoint/2, difference/2, subtract/2,
         is_subset/2, to_list/1, from_list/1, from_ordset/1, smallest/1, largest/1,
         take_smallest/1, take_largest/1, iterator/1, iterator_from/2, next/1, filter/2, fold/3,
         is_set/1]).
-export_type([set/0, set/1, iter/0, iter/1]).
-compile({no_auto_import, [size/1]}).

-type node_of(T) :: nil | {T, term(), term()}.
-opaque set(T) :: {non_neg_integer(), node_of(T)}.
-type set() :: set(term()).
-opaque iter(T) :: [node_of(T)].
-type iter() :: iter(term()).

-spec empty() -> set().
empty() -> {0, nil}.

-spec new() -> set().
new() -> {0, nil}.

-spec singleton(T) -> set(T).
singleton(X) -> {1, {X, nil, nil}}.

-spec is_set(term()) -> boolean().
is_set({0, nil}) -> true;
is_set({Size, {_, _, _}}) -> is_integer(Size) andalso Size >= 0;
is_set(_) -> false.

-spec is_empty(set()) -> boolean().
is_empty({0, nil}) -> true;
is_empty(_) -> false.

-spec size(set()) -> non_neg_integer().
size({Size, _}) -> Size.

-spec is_member(term(), set()) -> boolean().
is_member(X, {_, Node}) -> member_node(X, Node).

-spec is_element(term(), set()) -> boolean().
is_element(X, Set) -> is_member(X, Set).

member_node(X, {Y, Smaller, _}) when X < Y -> member_node(X, Smaller);
member_node(X, {Y, _, Larger}) when X > Y -> member_node(X, Larger);
member_node(_, {_, _, _}) -> true;
member_node(_, nil) -> false.

-spec insert(T, set(T)) -> set(T).
insert(X, {Size, Node}) ->
    New = Size + 1,
    case insert_node(X, Node, New * New) of
        {deep, Grown, _, _} -> {New, Grown};
        Grown -> {New, Grown}
    end.

insert_node(X, nil, 0) -> {deep, {X, nil, nil}, 1, 1};
insert_node(X, nil, _) -> {X, nil, nil};
insert_node(X, {Y, Smaller, Larger}, Room) when X < Y ->
    case insert_node(X, Smaller, Room bsr 1) of
        {deep, Node, Height, Size} -> rebuild({Y, Node, Larger}, Height, Size, Larger);
        Node -> {Y, Node, Larger}
    end;
insert_node(X, {Y, Smaller, Larger}, Room) when X > Y ->
    case insert_node(X, Larger, Room bsr 1) of
        {deep, Node, Height, Size} -> rebuild({Y, Smaller, Node}, Height, Size, Smaller);
        Node -> {Y, Smaller, Node}
    end;
insert_node(X, {_, _, _}, _) -> erlang:error({key_exists, X}).

rebuild(Node, Height, Size, Other) ->
    {OtherHeight, OtherSize} = measure(Other),
    NewHeight = 1 + max(Height, OtherHeight),
    NewSize = 1 + Size + OtherSize,
    case 1 bsl (NewHeight - 1) > NewSize * NewSize of
        true -> balanced(node_to_list(Node, []), NewSize);
        false -> {deep, Node, NewHeight, NewSize}
    end.

measure(nil) -> {0, 0};
measure({_, Smaller, Larger}) ->
    {HeightA, SizeA} = measure(Smaller),
    {HeightB, SizeB} = measure(Larger),
    {1 + max(HeightA, HeightB), 1 + SizeA + SizeB}.

-spec add(T, set(T)) -> set(T).
add(X, Set) ->
    case is_member(X, Set) of
        true -> Set;
        false -> insert(X, Set)
    end.

-spec add_element(T, set(T)) -> set(T).
add_element(X, Set) -> add(X, Set).

-spec delete(T, set(T)) -> set(T).
delete(X, {Size, Node}) -> {Size - 1, delete_node(X, Node)}.

delete_node(X, {Y, Smaller, Larger}) when X < Y -> {Y, delete_node(X, Smaller), Larger};
delete_node(X, {Y, Smaller, Larger}) when X > Y -> {Y, Smaller, delete_node(X, Larger)};
delete_node(_, {_, Smaller, nil}) -> Smaller;
delete_node(_, {_, nil, Larger}) -> Larger;
delete_node(_, {_, Smaller, Larger}) ->
    {X, Rest} = take_smallest_node(Larger),
    {X, Smaller, Rest}.

-spec delete_any(T, set(T)) -> set(T).
delete_any(X, Set) ->
    case is_member(X, Set) of
        true -> delete(X, Set);
        false -> Set
    end.

-spec del_element(T, set(T)) -> set(T).
del_element(X, Set) -> delete_any(X, Set).

-spec take_smallest(set(T)) -> {T, set(T)}.
take_smallest({Size, Node}) ->
    {X, Rest} = take_smallest_node(Node),
    {X, {Size - 1, Rest}}.

take_smallest_node({X, nil, Larger}) -> {X, Larger};
take_smallest_node({Y, Smaller, Larger}) ->
    {X, Rest} = take_smallest_node(Smaller),
    {X, {Y, Rest, Larger}}.

-spec take_largest(set(T)) -> {T, set(T)}.
take_largest({Size, Node}) ->
    {X, Rest} = take_largest_node(Node),
    {X, {Size - 1, Rest}}.

take_largest_node({X, Smaller, nil}) -> {X, Smaller};
take_largest_node({Y, Smaller, Larger}) ->
    {X, Rest} = take_largest_node(Larger),
    {X, {Y, Smaller, Rest}}.

-spec smallest(set(T)) -> T.
smallest({_, Node}) -> smallest_node(Node).

smallest_node({X, nil, _}) -> X;
smallest_node({_, Smaller, _}) -> smallest_node(Smaller).

-spec largest(set(T)) -> T.
largest({_, Node}) -> largest_node(Node).

largest_node({X, _, nil}) -> X;
largest_node({_, _, Larger}) -> largest_node(Larger).

-spec balance(set(T)) -> set(T).
balance({Size, Node}) -> {Size, balanced(node_to_list(Node, []), Size)}.

-spec to_list(set(T)) -> [T].
to_list({_, Node}) -> node_to_list(Node, []).

node_to_list({X, Smaller, Larger}, Tail) ->
    node_to_list(Smaller, [X | node_to_list(Larger, Tail)]);
node_to_list(nil, Tail) -> Tail.

-spec from_list([T]) -> set(T).
from_list(List) -> from_ordset(lists:usort(List)).

-spec from_ordset([T]) -> set(T).
from_ordset(Elements) ->
    Size = length(Elements),
    {Size, balanced(Elements, Size)}.

balanced(Elements, Size) ->
    {Node, []} = balanced_take(Elements, Size),
    Node.

balanced_take(Elements, 0) -> {nil, Elements};
balanced_take(Elements, Size) ->
    SmallerSize = Size div 2,
    {Smaller, [X | Rest]} = balanced_take(Elements, SmallerSize),
    {Larger, Left} = balanced_take(Rest, Size - 1 - SmallerSize),
    {{X, Smaller, Larger}, Left}.

%% Two sets: a small one is put into or looked up in a large one element by element, otherwise
%% both are walked once in order.
-spec union(set(T), set(T)) -> set(T).
union({SizeA, _} = A, {SizeB, _} = B)
  when is_integer(SizeA), is_integer(SizeB), SizeB < SizeA ->
    union_into(B, A);
union({SizeA, _} = A, {SizeB, _} = B) when is_integer(SizeA), is_integer(SizeB) ->
    union_into(A, B).

union_into({SizeA, _} = A, {SizeB, _} = B) when SizeA * 10 < SizeB ->
    lists:foldl(fun add/2, B, to_list(A));
union_into(A, B) -> from_ordset(lists:umerge(to_list(B), to_list(A))).

-spec union([set(T)]) -> set(T).
union([]) -> empty();
union([Set]) -> Set;
union([A, B | Rest]) -> union([union(A, B) | Rest]).

-spec intersection(set(T), set(T)) -> set(T).
intersection({SizeA, _} = A, {SizeB, _} = B)
  when is_integer(SizeA), is_integer(SizeB), SizeB < SizeA ->
    intersection_in(B, A);
intersection({SizeA, _} = A, {SizeB, _} = B) when is_integer(SizeA), is_integer(SizeB) ->
    intersection_in(A, B).

intersection_in(A, {_, Node}) -> from_ordset(lists:append([held(X, Node) || X <- to_list(A)])).

%% The element of a node that equals X, which need not match it: 1 and 1.0 are one element.
held(X, {Y, Smaller, _}) when X < Y -> held(X, Smaller);
held(X, {Y, _, Larger}) when X > Y -> held(X, Larger);
held(_, {Y, _, _}) -> [Y];
held(_, nil) -> [].

-spec intersection([set(T), ...]) -> set(T).
intersection([Set]) -> Set;
intersection([A, B | Rest]) -> intersection([intersection(A, B) | Rest]).

-spec is_disjoint(set(), set()) -> boolean().
is_disjoint({SizeA, _} = A, {SizeB, _} = B) when SizeB < SizeA -> is_disjoint(B, A);
is_disjoint(A, {_, Node}) -> not lists:any(fun(X) -> member_node(X, Node) end, to_list(A)).

-spec difference(set(T), set()) -> set(T).
difference({_, _} = A, {Size, Node}) when is_integer(Size) ->
    from_ordset([X || X <- to_list(A), not member_node(X, Node)]).

-spec subtract(set(T), set()) -> set(T).
subtract(A, B) -> difference(A, B).

-spec is_subset(set(), set()) -> boolean().
is_subset({_, _} = A, {Size, Node}) when is_integer(Size) ->
    lists:all(fun(X) -> member_node(X, Node) end, to_list(A)).

-spec filter(fun((T) -> boolean()), set(T)) -> set(T).
filter(F, Set) when is_function(F, 1) -> from_ordset([X || X <- to_list(Set), F(X)]).

-spec fold(fun((T, Acc) -> Acc), Acc, set(T)) -> Acc.
fold(F, Acc, {_, Node}) when is_function(F, 2) -> fold_node(F, Acc, Node).

fold_node(F, Acc, {X, Smaller, Larger}) ->
    fold_node(F, F(X, fold_node(F, Acc, Smaller)), Larger);
fold_node(_, Acc, nil) -> Acc.

%% An iterator is the list of nodes whose smaller side is done.
-spec iterator(set(T)) -> iter(T).
iterator({_, Node}) -> leftmost(Node, []).

leftmost({_, nil, _} = Node, Iterator) -> [Node | Iterator];
leftmost({_, Smaller, _} = Node, Iterator) -> leftmost(Smaller, [Node | Iterator]);
leftmost(nil, Iterator) -> Iterator.

-spec iterator_from(T, set(T)) -> iter(T).
iterator_from(X, {_, Node}) -> leftmost_from(X, Node, []).

leftmost_from(X, {Y, _, Larger}, Iterator) when Y < X -> leftmost_from(X, Larger, Iterator);
leftmost_from(_, {_, nil, _} = Node, Iterator) -> [Node | Iterator];
leftmost_from(X, {_, Smaller, _} = Node, Iterator) -> leftmost_from(X, Smaller, [Node | Iterator]);
leftmost_from(_, nil, Iterator) -> Iterator.

-spec next(iter(T)) -> none | {T, iter(T)}.
next([{X, _, Larger} | Rest]) -> {X, leftmost(Larger, Rest)};
next([]) -> none.
