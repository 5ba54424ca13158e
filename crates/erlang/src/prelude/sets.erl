%% Sets with elements compared by =:=, in both representations.
%% Version 2 is a map from elements to [], as upstream. Version 1, the default of OTP 25 to 27, is
%% opaque there; here it is {set, Map}, which does not depend on the order of insertions. Where
%% sets of both versions meet, sizes decide the version of the result, as upstream.
-module(sets).

-export([new/0, new/1, is_set/1, size/1, is_empty/1, to_list/1, from_list/1, from_list/2,
         is_element/2, add_element/2, del_element/2, union/1, union/2, intersection/1,
         intersection/2, is_disjoint/2, subtract/2, is_subset/2, fold/3, filter/2]).
-export_type([set/0, set/1]).
-compile({no_auto_import, [size/1]}).

-opaque set(T) :: {set, #{T => []}} | #{T => []}.
-type set() :: set(term()).

-spec new() -> set().
new() -> {set, #{}}.

-spec new([{version, 1..2}]) -> set().
new([{version, 2}]) -> #{};
new(Options) ->
    case version(Options) of
        1 -> new();
        2 -> #{}
    end.

version(Options) ->
    case proplists:get_value(version, Options, 1) of
        Version when Version =:= 1; Version =:= 2 -> Version
    end.

-spec from_list([T]) -> set(T).
from_list(List) -> {set, to_map(List)}.

-spec from_list([T], [{version, 1..2}]) -> set(T).
from_list(List, [{version, 2}]) -> to_map(List);
from_list(List, Options) ->
    case version(Options) of
        1 -> from_list(List);
        2 -> to_map(List)
    end.

to_map(List) -> maps:from_list([{X, []} || X <- List]).

-spec is_set(term()) -> boolean().
is_set({set, Map}) -> is_map(Map);
is_set(Set) when is_map(Set) -> lists:all(fun(Value) -> Value =:= [] end, maps:values(Set));
is_set(_) -> false.

%% The map inside, and a set of the same version around a map.
map_of({set, Map}) -> Map;
map_of(Map) when is_map(Map) -> Map.

like({set, _}, Map) -> {set, Map};
like(_, Map) -> Map.

%% What two sets give together is of the version of the larger one, or else of the first.
like(A, B, Map) ->
    case size(A) >= size(B) of
        true -> like(A, Map);
        false -> like(B, Map)
    end.

%% What two sets have in common is of the version of the smaller one, or else of the second.
like_smaller(A, B, Map) ->
    case size(A) < size(B) of
        true -> like(A, Map);
        false -> like(B, Map)
    end.

-spec size(set()) -> non_neg_integer().
size(Set) -> map_size(map_of(Set)).

-spec is_empty(set()) -> boolean().
is_empty(Set) -> size(Set) =:= 0.

-spec to_list(set(T)) -> [T].
to_list(Set) -> maps:keys(map_of(Set)).

-spec is_element(term(), set()) -> boolean().
is_element(X, Set) -> is_map_key(X, map_of(Set)).

-spec add_element(T, set(T)) -> set(T).
add_element(X, Set) -> like(Set, (map_of(Set))#{X => []}).

-spec del_element(term(), set(T)) -> set(T).
del_element(X, Set) -> like(Set, maps:remove(X, map_of(Set))).

-spec union(set(T), set(T)) -> set(T).
union(A, B) -> like(A, B, maps:merge(map_of(A), map_of(B))).

-spec union([set(T)]) -> set(T).
union([]) -> new();
union([Set]) -> Set;
union([A, B | Rest]) -> union([union(A, B) | Rest]).

-spec intersection(set(T), set(T)) -> set(T).
intersection(A, B) -> like_smaller(A, B, maps:with(to_list(B), map_of(A))).

-spec intersection([set(T), ...]) -> set(T).
intersection([Set]) -> Set;
intersection([A, B | Rest]) -> intersection([intersection(A, B) | Rest]).

-spec is_disjoint(set(), set()) -> boolean().
is_disjoint(A, B) ->
    Map = map_of(B),
    not lists:any(fun(X) -> is_map_key(X, Map) end, to_list(A)).

-spec subtract(set(T), set()) -> set(T).
subtract(A, B) -> like(A, maps:without(to_list(B), map_of(A))).

-spec is_subset(set(), set()) -> boolean().
is_subset(A, B) ->
    Map = map_of(B),
    lists:all(fun(X) -> is_map_key(X, Map) end, to_list(A)).

-spec fold(fun((T, Acc) -> Acc), Acc, set(T)) -> Acc.
fold(F, Acc, Set) -> lists:foldl(F, Acc, to_list(Set)).

-spec filter(fun((T) -> boolean()), set(T)) -> set(T).
filter(F, Set) when is_function(F, 1) -> like(Set, to_map([X || X <- to_list(Set), F(X)])).
