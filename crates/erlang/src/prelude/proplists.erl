%% Property lists: [Atom | {Key, Value}], where Atom stands for {Atom, true}.
-module(proplists).
-export([get_value/2, get_value/3, get_bool/2, lookup/2, lookup_all/2, is_defined/2,
         get_all_values/2, append_values/2, get_keys/1, delete/2, property/1, property/2, unfold/1,
         compact/1, split/2, to_map/1, from_map/1]).

get_value(Key, List) -> get_value(Key, List, undefined).

get_value(Key, [P | Ps], Default) ->
    if
        is_atom(P), P =:= Key -> true;
        tuple_size(P) >= 1, element(1, P) =:= Key ->
            case P of
                {_, Value} -> Value;
                _ -> Default
            end;
        true -> get_value(Key, Ps, Default)
    end;
get_value(_, [], Default) -> Default.

get_bool(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> true;
        tuple_size(P) >= 1, element(1, P) =:= Key ->
            case P of
                {_, true} -> true;
                _ -> false
            end;
        true -> get_bool(Key, Ps)
    end;
get_bool(_, []) -> false.

lookup(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> {Key, true};
        tuple_size(P) >= 1, element(1, P) =:= Key -> P;
        true -> lookup(Key, Ps)
    end;
lookup(_, []) -> none.

lookup_all(Key, [P | Ps]) ->
    if
        is_atom(P), P =:= Key -> [{Key, true} | lookup_all(Key, Ps)];
        tuple_size(P) >= 1, element(1, P) =:= Key -> [P | lookup_all(Key, Ps)];
        true -> lookup_all(Key, Ps)
    end;
lookup_all(_, []) -> [].

is_defined(Key, List) -> lookup(Key, List) =/= none.

get_all_values(Key, List) -> [Value || {_, Value} <- lookup_all(Key, List)].

append_values(Key, List) ->
    lists:append([if is_list(V) -> V; true -> [V] end || V <- get_all_values(Key, List)]).

get_keys(List) -> lists:usort([key_of(P) || P <- List, has_key(P)]).

has_key(P) -> is_atom(P) orelse (is_tuple(P) andalso tuple_size(P) >= 1).

key_of(P) when is_atom(P) -> P;
key_of(P) -> element(1, P).

delete(Key, List) -> [P || P <- List, not (has_key(P) andalso key_of(P) =:= Key)].

property({Key, true}) when is_atom(Key) -> Key;
property(P) -> P.

property(Key, true) when is_atom(Key) -> Key;
property(Key, Value) -> {Key, Value}.

unfold(List) -> [if is_atom(P) -> {P, true}; true -> P end || P <- List].

compact(List) -> [property(P) || P <- List].

split(List, Keys) ->
    {[[P || P <- List, has_key(P), key_of(P) =:= Key] || Key <- Keys],
     [P || P <- List, not (has_key(P) andalso lists:member(key_of(P), Keys))]}.

to_map(List) -> to_map(lists:reverse(List), #{}).

to_map([P | Ps], Acc) when is_atom(P) -> to_map(Ps, Acc#{P => true});
to_map([{K, V} | Ps], Acc) -> to_map(Ps, Acc#{K => V});
to_map([_ | Ps], Acc) -> to_map(Ps, Acc);
to_map([], Acc) -> Acc.

from_map(Map) -> maps:to_list(Map).
