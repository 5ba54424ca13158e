%% Functions of maps that call funs, and iterators. The others are built in.
-module(maps).
-export([map/2, fold/3, foreach/2, filter/2, filtermap/2, update_with/3, update_with/4,
         merge_with/3, intersect/2, intersect_with/3, groups_from_list/2, groups_from_list/3,
         iterator/1, next/1]).

map(F, Map) when is_function(F, 2) -> #{K => F(K, V) || {K, V} <- maps:to_list(Map)}.

fold(F, Acc, Map) when is_function(F, 3) -> fold_pairs(F, Acc, maps:to_list(Map)).

fold_pairs(F, Acc, [{K, V} | T]) -> fold_pairs(F, F(K, V, Acc), T);
fold_pairs(_, Acc, []) -> Acc.

foreach(F, Map) when is_function(F, 2) -> foreach_pair(F, maps:to_list(Map)).

foreach_pair(F, [{K, V} | T]) -> F(K, V), foreach_pair(F, T);
foreach_pair(_, []) -> ok.

filter(F, Map) when is_function(F, 2) -> #{K => V || {K, V} <- maps:to_list(Map), F(K, V)}.

filtermap(F, Map) when is_function(F, 2) -> filtermap_pairs(F, maps:to_list(Map), #{}).

filtermap_pairs(F, [{K, V} | T], Acc) ->
    case F(K, V) of
        true -> filtermap_pairs(F, T, Acc#{K => V});
        {true, New} -> filtermap_pairs(F, T, Acc#{K => New});
        false -> filtermap_pairs(F, T, Acc)
    end;
filtermap_pairs(_, [], Acc) -> Acc.

update_with(Key, F, Map) when is_function(F, 1) -> Map#{Key := F(maps:get(Key, Map))}.

update_with(Key, F, Init, Map) when is_function(F, 1) ->
    case Map of
        #{Key := Value} -> Map#{Key := F(Value)};
        #{} -> Map#{Key => Init}
    end.

merge_with(F, Map1, Map2) when is_function(F, 3) ->
    merge_pairs(F, maps:to_list(Map2), Map1).

merge_pairs(F, [{K, V2} | T], Acc) ->
    case Acc of
        #{K := V1} -> merge_pairs(F, T, Acc#{K := F(K, V1, V2)});
        #{} -> merge_pairs(F, T, Acc#{K => V2})
    end;
merge_pairs(_, [], Acc) -> Acc.

intersect(Map1, Map2) -> maps:with(maps:keys(Map1), Map2).

intersect_with(F, Map1, Map2) when is_function(F, 3) ->
    #{K => F(K, V1, maps:get(K, Map2)) || {K, V1} <- maps:to_list(Map1), maps:is_key(K, Map2)}.

groups_from_list(KeyOf, List) -> groups_from_list(KeyOf, fun(X) -> X end, List).

groups_from_list(KeyOf, ValueOf, List) -> groups(KeyOf, ValueOf, lists:reverse(List), #{}).

groups(KeyOf, ValueOf, [H | T], Acc) ->
    Key = KeyOf(H),
    groups(KeyOf, ValueOf, T, Acc#{Key => [ValueOf(H) | maps:get(Key, Acc, [])]});
groups(_, _, [], Acc) -> Acc.

iterator(Map) -> {'$maps_iterator', maps:to_list(Map)}.

next({'$maps_iterator', [{K, V} | T]}) -> {K, V, {'$maps_iterator', T}};
next({'$maps_iterator', []}) -> none.
