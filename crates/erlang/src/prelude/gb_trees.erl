%% Dictionaries as general balanced trees; keys are compared with ==.
%% Paper: A. Andersson, "General Balanced Trees" (Journal of Algorithms, 1999), with c = 2: no
%% balance is stored in nodes; an insertion that ends deeper than 2 * log2(size) rebuilds the
%% lowest subtree on its way that is too high for its size. Deletions never rebalance.
%% A tree is {Size, Node}; a node is nil or {Key, Value, Smaller, Larger}.
-module(gb_trees).

-export([empty/0, is_empty/1, size/1, lookup/2, get/2, insert/3, update/3, enter/3, delete/2,
         delete_any/2, take/2, take_any/2, balance/1, is_defined/2, keys/1, values/1, to_list/1,
         from_orddict/1, smallest/1, largest/1, take_smallest/1, take_largest/1, iterator/1,
         iterator_from/2, next/1, map/2]).
-export_type([tree/0, tree/2, iter/0, iter/2]).
-compile({no_auto_import, [size/1, get/2]}).

-type node_of(K, V) :: nil | {K, V, term(), term()}.
-opaque tree(K, V) :: {non_neg_integer(), node_of(K, V)}.
-type tree() :: tree(term(), term()).
-opaque iter(K, V) :: [node_of(K, V)].
-type iter() :: iter(term(), term()).

-spec empty() -> tree().
empty() -> {0, nil}.

-spec is_empty(tree()) -> boolean().
is_empty({0, nil}) -> true;
is_empty(_) -> false.

-spec size(tree()) -> non_neg_integer().
size({Size, _}) when is_integer(Size), Size >= 0 -> Size.

-spec lookup(K, tree(K, V)) -> none | {value, V}.
lookup(Key, {_, Node}) -> lookup_node(Key, Node).

lookup_node(Key, {K, _, Smaller, _}) when Key < K -> lookup_node(Key, Smaller);
lookup_node(Key, {K, _, _, Larger}) when Key > K -> lookup_node(Key, Larger);
lookup_node(_, {_, Value, _, _}) -> {value, Value};
lookup_node(_, nil) -> none.

-spec is_defined(K, tree(K, term())) -> boolean().
is_defined(Key, {_, Node}) -> lookup_node(Key, Node) =/= none.

-spec get(K, tree(K, V)) -> V.
get(Key, {_, Node}) -> get_node(Key, Node).

get_node(Key, {K, _, Smaller, _}) when Key < K -> get_node(Key, Smaller);
get_node(Key, {K, _, _, Larger}) when Key > K -> get_node(Key, Larger);
get_node(_, {_, Value, _, _}) -> Value.

-spec update(K, V, tree(K, V)) -> tree(K, V).
update(Key, Value, {Size, Node}) -> {Size, update_node(Key, Value, Node)}.

update_node(Key, Value, {K, V, Smaller, Larger}) when Key < K ->
    {K, V, update_node(Key, Value, Smaller), Larger};
update_node(Key, Value, {K, V, Smaller, Larger}) when Key > K ->
    {K, V, Smaller, update_node(Key, Value, Larger)};
update_node(Key, Value, {_, _, Smaller, Larger}) -> {Key, Value, Smaller, Larger}.

%% The insertion carries the square of the new size and halves it at each level: at zero it is too
%% deep.
-spec insert(K, V, tree(K, V)) -> tree(K, V).
insert(Key, Value, {Size, Node}) when is_integer(Size) ->
    New = Size + 1,
    {New, done(insert_node(Key, Value, Node, New * New))}.

%% A node that is settled, or {deep, Node, Height, Size} while an ancestor must still be rebuilt.
done({deep, Node, _, _}) -> Node;
done(Node) -> Node.

insert_node(Key, Value, nil, 0) -> {deep, {Key, Value, nil, nil}, 1, 1};
insert_node(Key, Value, nil, _) -> {Key, Value, nil, nil};
insert_node(Key, Value, {K, V, Smaller, Larger}, Room) when Key < K ->
    case insert_node(Key, Value, Smaller, Room bsr 1) of
        {deep, Node, Height, Size} -> rebuild({K, V, Node, Larger}, Height, Size, Larger);
        Node -> {K, V, Node, Larger}
    end;
insert_node(Key, Value, {K, V, Smaller, Larger}, Room) when Key > K ->
    case insert_node(Key, Value, Larger, Room bsr 1) of
        {deep, Node, Height, Size} -> rebuild({K, V, Smaller, Node}, Height, Size, Smaller);
        Node -> {K, V, Smaller, Node}
    end;
insert_node(Key, _, {_, _, _, _}, _) -> erlang:error({key_exists, Key}).

%% Height and Size are those of the child that grew, Other is its sibling.
rebuild(Node, Height, Size, Other) ->
    {OtherHeight, OtherSize} = measure(Other),
    NewHeight = 1 + max(Height, OtherHeight),
    NewSize = 1 + Size + OtherSize,
    case 1 bsl (NewHeight - 1) > NewSize * NewSize of
        true -> balanced(node_to_list(Node, []), NewSize);
        false -> {deep, Node, NewHeight, NewSize}
    end.

measure(nil) -> {0, 0};
measure({_, _, Smaller, Larger}) ->
    {HeightA, SizeA} = measure(Smaller),
    {HeightB, SizeB} = measure(Larger),
    {1 + max(HeightA, HeightB), 1 + SizeA + SizeB}.

-spec enter(K, V, tree(K, V)) -> tree(K, V).
enter(Key, Value, Tree) ->
    case is_defined(Key, Tree) of
        true -> update(Key, Value, Tree);
        false -> insert(Key, Value, Tree)
    end.

-spec delete(K, tree(K, V)) -> tree(K, V).
delete(Key, {Size, Node}) when is_integer(Size), Size >= 0 ->
    {_, Rest} = take_node(Key, Node),
    {Size - 1, Rest}.

-spec delete_any(K, tree(K, V)) -> tree(K, V).
delete_any(Key, Tree) ->
    case is_defined(Key, Tree) of
        true -> delete(Key, Tree);
        false -> Tree
    end.

-spec take(K, tree(K, V)) -> {V, tree(K, V)}.
take(Key, {Size, Node}) when is_integer(Size), Size >= 0 ->
    {Value, Rest} = take_node(Key, Node),
    {Value, {Size - 1, Rest}}.

-spec take_any(K, tree(K, V)) -> {V, tree(K, V)} | error.
take_any(Key, Tree) ->
    case is_defined(Key, Tree) of
        true -> take(Key, Tree);
        false -> error
    end.

take_node(Key, {K, V, Smaller, Larger}) when Key < K ->
    {Value, Rest} = take_node(Key, Smaller),
    {Value, {K, V, Rest, Larger}};
take_node(Key, {K, V, Smaller, Larger}) when Key > K ->
    {Value, Rest} = take_node(Key, Larger),
    {Value, {K, V, Smaller, Rest}};
take_node(_, {_, Value, Smaller, Larger}) -> {Value, join(Smaller, Larger)}.

join(Smaller, nil) -> Smaller;
join(nil, Larger) -> Larger;
join(Smaller, Larger) ->
    {Key, Value, Rest} = take_smallest_node(Larger),
    {Key, Value, Smaller, Rest}.

-spec take_smallest(tree(K, V)) -> {K, V, tree(K, V)}.
take_smallest({Size, Node}) when is_integer(Size), Size >= 0 ->
    {Key, Value, Rest} = take_smallest_node(Node),
    {Key, Value, {Size - 1, Rest}}.

take_smallest_node({Key, Value, nil, Larger}) -> {Key, Value, Larger};
take_smallest_node({K, V, Smaller, Larger}) ->
    {Key, Value, Rest} = take_smallest_node(Smaller),
    {Key, Value, {K, V, Rest, Larger}}.

-spec take_largest(tree(K, V)) -> {K, V, tree(K, V)}.
take_largest({Size, Node}) when is_integer(Size), Size >= 0 ->
    {Key, Value, Rest} = take_largest_node(Node),
    {Key, Value, {Size - 1, Rest}}.

take_largest_node({Key, Value, Smaller, nil}) -> {Key, Value, Smaller};
take_largest_node({K, V, Smaller, Larger}) ->
    {Key, Value, Rest} = take_largest_node(Larger),
    {Key, Value, {K, V, Smaller, Rest}}.

-spec smallest(tree(K, V)) -> {K, V}.
smallest({_, Node}) -> smallest_node(Node).

smallest_node({Key, Value, nil, _}) -> {Key, Value};
smallest_node({_, _, Smaller, _}) -> smallest_node(Smaller).

-spec largest(tree(K, V)) -> {K, V}.
largest({_, Node}) -> largest_node(Node).

largest_node({Key, Value, _, nil}) -> {Key, Value};
largest_node({_, _, _, Larger}) -> largest_node(Larger).

-spec balance(tree(K, V)) -> tree(K, V).
balance({Size, Node}) -> {Size, balanced(node_to_list(Node, []), Size)}.

-spec from_orddict([{K, V}]) -> tree(K, V).
from_orddict(Pairs) when is_list(Pairs) ->
    Size = length(Pairs),
    {Size, balanced(Pairs, Size)}.

%% A node of least height; where the two sides cannot be equal the smaller keys get one more.
balanced(Pairs, Size) ->
    {Node, []} = balanced_take(Pairs, Size),
    Node.

balanced_take(Pairs, 0) -> {nil, Pairs};
balanced_take(Pairs, Size) ->
    SmallerSize = Size div 2,
    {Smaller, [{Key, Value} | Rest]} = balanced_take(Pairs, SmallerSize),
    {Larger, Left} = balanced_take(Rest, Size - 1 - SmallerSize),
    {{Key, Value, Smaller, Larger}, Left}.

-spec to_list(tree(K, V)) -> [{K, V}].
to_list({_, Node}) -> node_to_list(Node, []).

node_to_list({Key, Value, Smaller, Larger}, Tail) ->
    node_to_list(Smaller, [{Key, Value} | node_to_list(Larger, Tail)]);
node_to_list(nil, Tail) -> Tail.

-spec keys(tree(K, term())) -> [K].
keys(Tree) -> [Key || {Key, _} <- to_list(Tree)].

-spec values(tree(term(), V)) -> [V].
values(Tree) -> [Value || {_, Value} <- to_list(Tree)].

-spec map(fun((K, A) -> B), tree(K, A)) -> tree(K, B).
map(F, {Size, Node}) when is_function(F, 2) -> {Size, map_node(F, Node)}.

map_node(F, {Key, Value, Smaller, Larger}) ->
    {Key, F(Key, Value), map_node(F, Smaller), map_node(F, Larger)};
map_node(_, nil) -> nil.

%% An iterator is the list of nodes whose smaller side is done.
-spec iterator(tree(K, V)) -> iter(K, V).
iterator({_, Node}) -> leftmost(Node, []).

leftmost({_, _, nil, _} = Node, Iterator) -> [Node | Iterator];
leftmost({_, _, Smaller, _} = Node, Iterator) -> leftmost(Smaller, [Node | Iterator]);
leftmost(nil, Iterator) -> Iterator.

-spec iterator_from(K, tree(K, V)) -> iter(K, V).
iterator_from(Key, {_, Node}) -> leftmost_from(Key, Node, []).

leftmost_from(Key, {K, _, _, Larger}, Iterator) when K < Key ->
    leftmost_from(Key, Larger, Iterator);
leftmost_from(_, {_, _, nil, _} = Node, Iterator) -> [Node | Iterator];
leftmost_from(Key, {_, _, Smaller, _} = Node, Iterator) ->
    leftmost_from(Key, Smaller, [Node | Iterator]);
leftmost_from(_, nil, Iterator) -> Iterator.

-spec next(iter(K, V)) -> none | {K, V, iter(K, V)}.
next([{Key, Value, _, Larger} | Rest]) -> {Key, Value, leftmost(Larger, Rest)};
next([]) -> none.
