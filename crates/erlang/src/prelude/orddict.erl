%% Dictionaries as lists of {Key, Value} with ascending keys; keys are compared with ==.
-module(orddict).

-export([new/0, is_key/2, to_list/1, from_list/1, size/1, is_empty/1, fetch/2, find/2,
         fetch_keys/1, erase/2, take/2, store/3, append/3, append_list/3, update/3, update/4,
         update_counter/3, fold/3, map/2, filter/2, merge/3]).
-export_type([orddict/2]).
-compile({no_auto_import, [size/1]}).

-type orddict(Key, Value) :: [{Key, Value}].

-spec new() -> orddict(none(), none()).
new() -> [].

-spec is_key(term(), orddict(term(), term())) -> boolean().
is_key(Key, [{K, _} | Rest]) when Key > K -> is_key(Key, Rest);
is_key(Key, [{K, _} | _]) -> Key == K;
is_key(_, []) -> false.

-spec to_list(orddict(K, V)) -> [{K, V}].
to_list(Dict) -> Dict.

%% Of several pairs with one key the last wins.
-spec from_list([{K, V}]) -> orddict(K, V).
from_list([]) -> [];
from_list([{_, _}] = Pair) -> Pair;
from_list(Pairs) -> lists:ukeysort(1, lists:reverse(Pairs)).

-spec size(orddict(term(), term())) -> non_neg_integer().
size(Dict) -> length(Dict).

-spec is_empty(orddict(term(), term())) -> boolean().
is_empty([]) -> true;
is_empty([_ | _]) -> false.

-spec fetch(K, orddict(K, V)) -> V.
fetch(Key, [{K, _} | Rest]) when Key > K -> fetch(Key, Rest);
fetch(Key, [{K, Value} | _]) when Key == K -> Value.

-spec find(K, orddict(K, V)) -> {ok, V} | error.
find(Key, [{K, _} | Rest]) when Key > K -> find(Key, Rest);
find(Key, [{K, _} | _]) when Key < K -> error;
find(_, [{_, Value} | _]) -> {ok, Value};
find(_, []) -> error.

-spec fetch_keys(orddict(K, term())) -> [K].
fetch_keys([{Key, _} | Rest]) -> [Key | fetch_keys(Rest)];
fetch_keys([]) -> [].

-spec erase(K, orddict(K, V)) -> orddict(K, V).
erase(Key, [{K, _} = Pair | Rest]) when Key > K -> [Pair | erase(Key, Rest)];
erase(Key, [{K, _} | _] = Dict) when Key < K -> Dict;
erase(_, [{_, _} | Rest]) -> Rest;
erase(_, []) -> [].

-spec take(K, orddict(K, V)) -> {V, orddict(K, V)} | error.
take(Key, Dict) -> take(Key, Dict, []).

take(Key, [{K, _} = Pair | Rest], Before) when Key > K -> take(Key, Rest, [Pair | Before]);
take(Key, [{K, _} | _], _) when Key < K -> error;
take(_, [{_, Value} | Rest], Before) -> {Value, lists:reverse(Before, Rest)};
take(_, [], _) -> error.

-spec store(K, V, orddict(K, V)) -> orddict(K, V).
store(Key, Value, [{K, _} = Pair | Rest]) when Key > K -> [Pair | store(Key, Value, Rest)];
store(Key, Value, [{K, _} | _] = Dict) when Key < K -> [{Key, Value} | Dict];
store(Key, Value, [{_, _} | Rest]) -> [{Key, Value} | Rest];
store(Key, Value, []) -> [{Key, Value}].

-spec append(K, V, orddict(K, [V])) -> orddict(K, [V]).
append(Key, Value, Dict) -> append_list(Key, [Value], Dict).

-spec append_list(K, [V], orddict(K, [V])) -> orddict(K, [V]).
append_list(Key, New, [{K, _} = Pair | Rest]) when Key > K -> [Pair | append_list(Key, New, Rest)];
append_list(Key, New, [{K, _} | _] = Dict) when Key < K -> [{Key, New} | Dict];
append_list(Key, New, [{_, Old} | Rest]) -> [{Key, Old ++ New} | Rest];
append_list(Key, New, []) -> [{Key, New}].

-spec update(K, fun((V) -> V), orddict(K, V)) -> orddict(K, V).
update(Key, F, [{K, _} = Pair | Rest]) when Key > K -> [Pair | update(Key, F, Rest)];
update(Key, F, [{K, Value} | Rest]) when Key == K -> [{Key, F(Value)} | Rest].

-spec update(K, fun((V) -> V), V, orddict(K, V)) -> orddict(K, V).
update(Key, F, Initial, [{K, _} = Pair | Rest]) when Key > K ->
    [Pair | update(Key, F, Initial, Rest)];
update(Key, _, Initial, [{K, _} | _] = Dict) when Key < K -> [{Key, Initial} | Dict];
update(Key, F, _, [{_, Value} | Rest]) -> [{Key, F(Value)} | Rest];
update(Key, _, Initial, []) -> [{Key, Initial}].

-spec update_counter(K, number(), orddict(K, number())) -> orddict(K, number()).
update_counter(Key, N, [{K, _} = Pair | Rest]) when Key > K ->
    [Pair | update_counter(Key, N, Rest)];
update_counter(Key, N, [{K, _} | _] = Dict) when Key < K -> [{Key, N} | Dict];
update_counter(Key, N, [{_, Value} | Rest]) -> [{Key, Value + N} | Rest];
update_counter(Key, N, []) -> [{Key, N}].

-spec fold(fun((K, V, Acc) -> Acc), Acc, orddict(K, V)) -> Acc.
fold(F, Acc, [{Key, Value} | Rest]) -> fold(F, F(Key, Value, Acc), Rest);
fold(F, Acc, []) when is_function(F, 3) -> Acc.

-spec map(fun((K, A) -> B), orddict(K, A)) -> orddict(K, B).
map(F, [{Key, Value} | Rest]) -> [{Key, F(Key, Value)} | map(F, Rest)];
map(F, []) when is_function(F, 2) -> [].

-spec filter(fun((K, V) -> boolean()), orddict(K, V)) -> orddict(K, V).
filter(F, [{Key, Value} = Pair | Rest]) ->
    case F(Key, Value) of
        true -> [Pair | filter(F, Rest)];
        false -> filter(F, Rest)
    end;
filter(F, []) when is_function(F, 2) -> [].

-spec merge(fun((K, V, V) -> V), orddict(K, V), orddict(K, V)) -> orddict(K, V).
merge(F, [{KA, _} = A | As], [{KB, _} | _] = Bs) when KA < KB -> [A | merge(F, As, Bs)];
merge(F, [{KA, _} | _] = As, [{KB, _} = B | Bs]) when KA > KB -> [B | merge(F, As, Bs)];
merge(F, [{Key, A} | As], [{_, B} | Bs]) -> [{Key, F(Key, A, B)} | merge(F, As, Bs)];
merge(F, [], Bs) when is_function(F, 3) -> Bs;
merge(F, As, []) when is_function(F, 3) -> As.
