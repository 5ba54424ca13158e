%% Dictionaries with keys compared by =:=.
%% A dictionary is {dict, Map}. Upstream's is a hash table whose shape depends on the order of
%% insertions; ours does not, so that equal contents are equal states. The order of fold/3 and
%% to_list/1 is undefined there and is the map's order here.
-module(dict).

-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2,
         fetch_keys/1, erase/2, take/2, store/3, append/3, append_list/3, update/3, update/4,
         update_counter/3, fold/3, map/2, filter/2, merge/3]).
-export_type([dict/0, dict/2]).
-compile({no_auto_import, [size/1]}).

-opaque dict(Key, Value) :: {dict, #{Key => Value}}.
-type dict() :: dict(term(), term()).

-spec new() -> dict().
new() -> {dict, #{}}.

-spec is_key(K, dict(K, term())) -> boolean().
is_key(Key, {dict, Map}) -> is_map_key(Key, Map).

-spec to_list(dict(K, V)) -> [{K, V}].
to_list({dict, Map}) -> maps:to_list(Map).

-spec from_list([{K, V}]) -> dict(K, V).
from_list(Pairs) ->
    lists:foldl(fun({Key, Value}, Dict) -> store(Key, Value, Dict) end, new(), Pairs).

-spec size(dict()) -> non_neg_integer().
size({dict, Map}) -> map_size(Map).

-spec is_empty(dict()) -> boolean().
is_empty({dict, Map}) -> map_size(Map) =:= 0.

-spec fetch(K, dict(K, V)) -> V.
fetch(Key, {dict, Map}) ->
    case Map of
        #{Key := Value} -> Value;
        #{} -> erlang:error(badarg)
    end.

-spec find(K, dict(K, V)) -> {ok, V} | error.
find(Key, {dict, Map}) -> maps:find(Key, Map).

-spec fetch_keys(dict(K, term())) -> [K].
fetch_keys({dict, Map}) -> maps:keys(Map).

-spec erase(K, dict(K, V)) -> dict(K, V).
erase(Key, {dict, Map}) -> {dict, maps:remove(Key, Map)}.

-spec take(K, dict(K, V)) -> {V, dict(K, V)} | error.
take(Key, {dict, Map}) ->
    case maps:take(Key, Map) of
        {Value, Rest} -> {Value, {dict, Rest}};
        error -> error
    end.

-spec store(K, V, dict(K, V)) -> dict(K, V).
store(Key, Value, {dict, Map}) -> {dict, Map#{Key => Value}}.

-spec append(K, V, dict(K, [V])) -> dict(K, [V]).
append(Key, Value, Dict) -> append_list(Key, [Value], Dict).

-spec append_list(K, [V], dict(K, [V])) -> dict(K, [V]).
append_list(Key, New, {dict, Map}) ->
    case Map of
        #{Key := Old} -> {dict, Map#{Key := Old ++ New}};
        #{} -> {dict, Map#{Key => New}}
    end.

-spec update(K, fun((V) -> V), dict(K, V)) -> dict(K, V).
update(Key, F, {dict, Map}) when is_function(F, 1) ->
    case Map of
        #{Key := Value} -> {dict, Map#{Key := F(Value)}};
        #{} -> erlang:error(badarg)
    end.

-spec update(K, fun((V) -> V), V, dict(K, V)) -> dict(K, V).
update(Key, F, Initial, {dict, Map}) when is_function(F, 1) ->
    case Map of
        #{Key := Value} -> {dict, Map#{Key := F(Value)}};
        #{} -> {dict, Map#{Key => Initial}}
    end.

-spec update_counter(K, number(), dict(K, number())) -> dict(K, number()).
update_counter(Key, N, {dict, Map}) when is_number(N) ->
    case Map of
        #{Key := Value} -> {dict, Map#{Key := Value + N}};
        #{} -> {dict, Map#{Key => N}}
    end.

-spec fold(fun((K, V, Acc) -> Acc), Acc, dict(K, V)) -> Acc.
fold(F, Acc, {dict, Map}) when is_function(F, 3) -> fold_pairs(F, Acc, maps:to_list(Map)).

fold_pairs(F, Acc, [{Key, Value} | Rest]) -> fold_pairs(F, F(Key, Value, Acc), Rest);
fold_pairs(_, Acc, []) -> Acc.

-spec map(fun((K, A) -> B), dict(K, A)) -> dict(K, B).
map(F, {dict, Map}) when is_function(F, 2) ->
    {dict, maps:from_list([{Key, F(Key, Value)} || {Key, Value} <- maps:to_list(Map)])}.

-spec filter(fun((K, V) -> boolean()), dict(K, V)) -> dict(K, V).
filter(F, {dict, Map}) when is_function(F, 2) ->
    {dict, maps:from_list([Pair || {Key, Value} = Pair <- maps:to_list(Map), F(Key, Value)])}.

-spec merge(fun((K, V, V) -> V), dict(K, V), dict(K, V)) -> dict(K, V).
merge(F, {dict, A}, {dict, B}) when is_function(F, 3) ->
    Join = fun({Key, Value}, Map) ->
                   case Map of
                       #{Key := Old} -> Map#{Key := F(Key, Old, Value)};
                       #{} -> Map#{Key => Value}
                   end
           end,
    {dict, lists:foldl(Join, A, maps:to_list(B))}.
