%% Maps: the functions that take funs, iterators, and those that are compositions of others. The rest
%% is native. Everything that walks a map goes through maps:to_list/1, so the order of walking is
%% decided in one place.
%% An iterator is {iterator, Pairs} with the pairs still to come, and none at the end; it may be
%% given wherever upstream takes one.
-module(maps).

-export([filter/2, filtermap/2, fold/3, foreach/2, groups_from_list/2, groups_from_list/3,
         intersect/2, intersect_with/3, iterator/1, iterator/2, map/2, merge_with/3, next/1,
         update_with/3, update_with/4]).

-spec update_with(K, fun((V) -> V), #{K => V}) -> #{K => V}.
update_with(Key, F, Map) when is_function(F, 1), is_map(Map) ->
    case Map of
        #{Key := Value} -> Map#{Key := F(Value)};
        #{} -> erlang:error({badkey, Key})
    end;
update_with(_, _, Map) -> bad_argument(Map).

-spec update_with(K, fun((V) -> V), V, #{K => V}) -> #{K => V}.
update_with(Key, F, Initial, Map) when is_function(F, 1), is_map(Map) ->
    case Map of
        #{Key := Value} -> Map#{Key := F(Value)};
        #{} -> Map#{Key => Initial}
    end;
update_with(_, _, _, Map) -> bad_argument(Map).

%%% Walking. A map or an iterator will do.

-spec filter(fun((K, V) -> boolean()), #{K => V}) -> #{K => V}.
filter(F, Map) when is_function(F, 2) ->
    maps:from_list(filter_pairs(F, pairs(Map)));
filter(_, Map) -> bad_walk(Map).

filter_pairs(F, [{Key, Value} = Pair | Rest]) ->
    case F(Key, Value) of
        true -> [Pair | filter_pairs(F, Rest)];
        false -> filter_pairs(F, Rest)
    end;
filter_pairs(_, []) -> [].

-spec filtermap(fun((K, A) -> boolean() | {true, B}), #{K => A}) -> #{K => A | B}.
filtermap(F, Map) when is_function(F, 2) -> maps:from_list(filtermap_pairs(F, pairs(Map)));
filtermap(_, Map) -> bad_walk(Map).

filtermap_pairs(F, [{Key, Value} = Pair | Rest]) ->
    case F(Key, Value) of
        true -> [Pair | filtermap_pairs(F, Rest)];
        {true, New} -> [{Key, New} | filtermap_pairs(F, Rest)];
        false -> filtermap_pairs(F, Rest)
    end;
filtermap_pairs(_, []) -> [].

-spec fold(fun((K, V, Acc) -> Acc), Acc, #{K => V}) -> Acc.
fold(F, Acc, Map) when is_function(F, 3) -> fold_pairs(F, Acc, pairs(Map));
fold(_, _, Map) -> bad_walk(Map).

fold_pairs(F, Acc, [{Key, Value} | Rest]) -> fold_pairs(F, F(Key, Value, Acc), Rest);
fold_pairs(_, Acc, []) -> Acc.

-spec foreach(fun((K, V) -> term()), #{K => V}) -> ok.
foreach(F, Map) when is_function(F, 2) -> foreach_pair(F, pairs(Map));
foreach(_, Map) -> bad_walk(Map).

foreach_pair(F, [{Key, Value} | Rest]) ->
    F(Key, Value),
    foreach_pair(F, Rest);
foreach_pair(_, []) -> ok.

-spec map(fun((K, A) -> B), #{K => A}) -> #{K => B}.
map(F, Map) when is_function(F, 2) ->
    maps:from_list([{Key, F(Key, Value)} || {Key, Value} <- pairs(Map)]);
map(_, Map) -> bad_walk(Map).

pairs(Map) when is_map(Map) -> maps:to_list(Map);
pairs({iterator, Pairs}) -> Pairs;
pairs(none) -> [];
pairs(Other) -> bad_map(Other).

-type iterator(K, V) :: {iterator, [{K, V}]} | none.

-spec iterator(#{K => V}) -> iterator(K, V).
iterator(Map) when is_map(Map) -> {iterator, maps:to_list(Map)};
iterator(Map) -> bad_map(Map).

%% From OTP 26.
-spec iterator(#{K => V}, undefined | ordered | reversed | fun((K, K) -> boolean())) ->
          iterator(K, V).
iterator(Map, undefined) -> iterator(Map);
iterator(Map, ordered) -> iterator(Map, fun(A, B) -> before(A, B) end);
iterator(Map, reversed) -> iterator(Map, fun(A, B) -> before(B, A) end);
iterator(Map, Order) when is_function(Order, 2) ->
    {iterator, lists:sort(fun({A, _}, {B, _}) -> Order(A, B) end, maps:to_list(Map))}.

%% The order of keys in maps: as everywhere, but integers before floats.
before(A, B) when is_integer(A), is_float(B) -> true;
before(A, B) when is_float(A), is_integer(B) -> false;
before(A, B) -> A =< B.

-spec next(iterator(K, V)) -> {K, V, iterator(K, V)} | none.
next({iterator, [{Key, Value}]}) -> {Key, Value, none};
next({iterator, [{Key, Value} | Rest]}) -> {Key, Value, {iterator, Rest}};
next({iterator, []}) -> none;
next(none) -> none;
next(_) -> erlang:error(badarg).

%%% Several maps, and parts of one.

-spec intersect(#{K => term()}, #{K => V}) -> #{K => V}.
intersect(A, B) when is_map(A), is_map(B) ->
    maps:from_list([Pair || {Key, _} = Pair <- maps:to_list(B), is_map_key(Key, A)]);
intersect(A, B) -> bad_map(first_bad(A, B)).

-spec intersect_with(fun((K, A, B) -> C), #{K => A}, #{K => B}) -> #{K => C}.
intersect_with(F, A, B) when is_function(F, 3), is_map(A), is_map(B) ->
    maps:from_list([{Key, F(Key, Value, map_get(Key, B))}
                    || {Key, Value} <- maps:to_list(A), is_map_key(Key, B)]);
intersect_with(_, A, B) -> bad_argument(first_bad(A, B)).

-spec merge_with(fun((K, A, B) -> C), #{K => A}, #{K => B}) -> #{K => A | B | C}.
merge_with(F, A, B) when is_function(F, 3), is_map(A), is_map(B) ->
    Join = fun({Key, Value}, Map) ->
                   case Map of
                       #{Key := Old} -> Map#{Key := F(Key, Old, Value)};
                       #{} -> Map#{Key => Value}
                   end
           end,
    lists:foldl(Join, A, maps:to_list(B));
merge_with(_, A, B) -> bad_argument(first_bad(A, B)).

-spec groups_from_list(fun((T) -> K), [T]) -> #{K => [T]}.
groups_from_list(KeyOf, List) -> groups_from_list(KeyOf, fun(X) -> X end, List).

-spec groups_from_list(fun((T) -> K), fun((T) -> V), [T]) -> #{K => [V]}.
groups_from_list(KeyOf, ValueOf, List)
  when is_function(KeyOf, 1), is_function(ValueOf, 1), is_list(List) ->
    Add = fun(X, Groups) ->
                  Key = KeyOf(X),
                  Groups#{Key => [ValueOf(X) | maps:get(Key, Groups, [])]}
          end,
    lists:foldl(Add, #{}, lists:reverse(List));
groups_from_list(_, _, _) -> erlang:error(badarg).

%%% What was wrong.

first_bad(A, B) when is_map(A) -> B;
first_bad(A, _) -> A.

-spec bad_map(term()) -> no_return().
bad_map(Map) -> erlang:error({badmap, Map}).

-spec bad_argument(term()) -> no_return().
bad_argument(Map) when is_map(Map) -> erlang:error(badarg);
bad_argument(Map) -> bad_map(Map).

-spec bad_walk(term()) -> no_return().
bad_walk({iterator, _}) -> erlang:error(badarg);
bad_walk(none) -> erlang:error(badarg);
bad_walk(Map) -> bad_argument(Map).
