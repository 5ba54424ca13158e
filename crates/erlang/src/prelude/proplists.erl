%% Property lists: {Key, Value} pairs, and atoms that stand for {Atom, true}. Anything else is
%% passed over.
%% The first entry of a key counts; keys are compared with =:= where tuples are taken apart.
-module(proplists).

-export([property/1, property/2, unfold/1, compact/1, lookup/2, lookup_all/2, is_defined/2,
         get_value/2, get_value/3, get_all_values/2, append_values/2, get_bool/2, get_keys/1,
         delete/2, substitute_aliases/2, substitute_negations/2, expand/2, normalize/2, split/2,
         to_map/1, to_map/2, from_map/1]).
-export_type([property/0, proplist/0]).

-type property() :: atom() | tuple().
-type proplist() :: [property()].

-spec property(property()) -> property().
property({Key, true}) when is_atom(Key) -> Key;
property(Property) -> Property.

-spec property(term(), term()) -> property().
property(Key, true) when is_atom(Key) -> Key;
property(Key, Value) -> {Key, Value}.

-spec unfold([term()]) -> [term()].
unfold([X | Rest]) when is_atom(X) -> [{X, true} | unfold(Rest)];
unfold([X | Rest]) -> [X | unfold(Rest)];
unfold([]) -> [].

-spec compact([property()]) -> [property()].
compact(List) -> [property(X) || X <- List].

%% Does an entry belong to a key?
is_of(Key, Entry) when is_atom(Entry) -> Key =:= Entry;
is_of(Key, Entry) when tuple_size(Entry) >= 1 -> element(1, Entry) =:= Key;
is_of(_, _) -> false.

unfold_one(Entry) when is_atom(Entry) -> {Entry, true};
unfold_one(Entry) -> Entry.

-spec lookup(term(), [term()]) -> none | tuple().
lookup(Key, [X | Rest]) ->
    case is_of(Key, X) of
        true -> unfold_one(X);
        false -> lookup(Key, Rest)
    end;
lookup(_, []) -> none.

-spec lookup_all(term(), [term()]) -> [tuple()].
lookup_all(Key, [X | Rest]) ->
    case is_of(Key, X) of
        true -> [unfold_one(X) | lookup_all(Key, Rest)];
        false -> lookup_all(Key, Rest)
    end;
lookup_all(_, []) -> [].

-spec is_defined(term(), [term()]) -> boolean().
is_defined(Key, [X | Rest]) -> is_of(Key, X) orelse is_defined(Key, Rest);
is_defined(_, []) -> false.

-spec get_value(term(), [term()]) -> term().
get_value(Key, List) -> get_value(Key, List, undefined).

%% An entry of the key that is no pair, such as {Key} or {Key, 1, 2}, hides later pairs.
-spec get_value(term(), [term()], term()) -> term().
get_value(Key, [X | Rest], Default) ->
    case is_of(Key, X) of
        true -> value_of(X, Default);
        false -> get_value(Key, Rest, Default)
    end;
get_value(_, [], Default) -> Default.

value_of(X, _) when is_atom(X) -> true;
value_of({_, Value}, _) -> Value;
value_of(_, Default) -> Default.

-spec get_all_values(term(), [term()]) -> [term()].
get_all_values(Key, List) -> [Value || {_, Value} <- lookup_all(Key, List)].

-spec append_values(term(), [term()]) -> [term()].
append_values(Key, List) -> lists:append([as_list(Value) || Value <- get_all_values(Key, List)]).

as_list(Value) when is_list(Value) -> Value;
as_list(Value) -> [Value].

-spec get_bool(term(), [term()]) -> boolean().
get_bool(Key, List) ->
    case lookup(Key, List) of
        {_, true} -> true;
        _ -> false
    end.

-spec get_keys([term()]) -> [term()].
get_keys(List) -> lists:uniq(lists:sort(keys(List))).

keys([X | Rest]) when is_atom(X) -> [X | keys(Rest)];
keys([X | Rest]) when tuple_size(X) >= 1 -> [element(1, X) | keys(Rest)];
keys([_ | Rest]) -> keys(Rest);
keys([]) -> [].

-spec delete(term(), [term()]) -> [term()].
delete(Key, [X | Rest]) ->
    case is_of(Key, X) of
        true -> delete(Key, Rest);
        false -> [X | delete(Key, Rest)]
    end;
delete(_, []) -> [].

%% Each alias {Key, Other} renames the entries of Key.
-spec substitute_aliases([{term(), term()}], [term()]) -> [term()].
substitute_aliases(Aliases, List) when length(Aliases) >= 0 -> [rename(Aliases, X) || X <- List].

rename(Aliases, X) ->
    case key_of(X) of
        {key, Key} ->
            case other_of(Key, Aliases) of
                {other, Other} when is_atom(X) -> property(Other, true);
                {other, Other} -> property(setelement(1, X, Other));
                none -> X
            end;
        none -> X
    end.

other_of(Key, [{Key, Other} | _]) -> {other, Other};
other_of(Key, [{_, _} | Rest]) -> other_of(Key, Rest);
other_of(_, []) -> none.

key_of(X) when is_atom(X) -> {key, X};
key_of(X) when tuple_size(X) >= 1 -> {key, element(1, X)};
key_of(_) -> none.

%% Each negation {Key, Other} turns Key into {Other, false} and {Key, false} into Other.
-spec substitute_negations([{term(), term()}], [term()]) -> [term()].
substitute_negations(Negations, List) when length(Negations) >= 0 ->
    [negate(Negations, X) || X <- List].

negate(Negations, X) ->
    case key_of(X) of
        {key, Key} ->
            case other_of(Key, Negations) of
                {other, Other} -> negated(X, Other);
                none -> X
            end;
        none -> X
    end.

negated(X, Other) when is_atom(X) -> {Other, false};
negated({_, true}, Other) -> {Other, false};
negated(_, Other) -> property(Other, true).

%% Each expansion {Property, Entries} puts Entries in place of the first entry of the property's
%% key, if that entry is the property itself; the other entries of the key go then. Old entries
%% that are lists dissolve.
-spec expand([{property(), [term()]}], [term()]) -> [term()].
expand(Expansions, List) ->
    Marked = [{keep, X} || X <- List],
    lists:append([dissolved(M) || M <- lists:foldl(fun expand_one/2, Marked, Expansions)]).

dissolved({keep, X}) -> as_list(X);
dissolved({new, X}) -> [X].

expand_one({Property, Entries}, Marked) ->
    {Key, Wanted} = case property(Property) of
                        Atom when is_atom(Atom) -> {Atom, Atom};
                        Tuple -> {element(1, Tuple), Tuple}
                    end,
    case first_of(Key, Marked, []) of
        {Before, X, After} ->
            case property(X) =:= Wanted of
                true ->
                    New = [{new, E} || E <- Entries],
                    Before ++ New ++ [M || M <- After, not old_of(Key, M)];
                false -> Marked
            end;
        none -> Marked
    end.

old_of(Key, {keep, X}) -> is_of(Key, X);
old_of(_, {new, _}) -> false.

first_of(Key, [{keep, X} = Entry | Rest], Before) ->
    case is_of(Key, X) of
        true -> {lists:reverse(Before), X, Rest};
        false -> first_of(Key, Rest, [Entry | Before])
    end;
first_of(Key, [Entry | Rest], Before) -> first_of(Key, Rest, [Entry | Before]);
first_of(_, [], _) -> none.

-spec normalize([term()], [{aliases | negations | expand, list()}]) -> [term()].
normalize(List, [{aliases, Aliases} | Stages]) ->
    normalize(substitute_aliases(Aliases, List), Stages);
normalize(List, [{negations, Negations} | Stages]) ->
    normalize(substitute_negations(Negations, List), Stages);
normalize(List, [{expand, Expansions} | Stages]) -> normalize(expand(Expansions, List), Stages);
normalize(List, []) -> compact(List).

-spec split([term()], [term()]) -> {[[term()]], [term()]}.
split(List, Keys) ->
    Of = fun(Key) -> [X || X <- List, is_of(Key, X)] end,
    Rest = [X || X <- List, not lists:any(fun(Key) -> is_of(Key, X) end, Keys)],
    {[Of(Key) || Key <- Keys], Rest}.

-spec to_map([term()]) -> map().
to_map(List) -> lists:foldr(fun add_to_map/2, #{}, List).

add_to_map({Key, Value}, Map) -> Map#{Key => Value};
add_to_map(Key, Map) when is_atom(Key) -> Map#{Key => true};
add_to_map(X, Map) when tuple_size(X) >= 1 -> maps:remove(element(1, X), Map);
add_to_map(_, Map) -> Map.

-spec to_map([term()], [{aliases | negations | expand, list()}]) -> map().
to_map(List, Stages) -> to_map(apply_stages(List, Stages)).

apply_stages(List, [{aliases, Aliases} | Stages]) ->
    apply_stages(substitute_aliases(Aliases, List), Stages);
apply_stages(List, [{negations, Negations} | Stages]) ->
    apply_stages(substitute_negations(Negations, List), Stages);
apply_stages(List, [{expand, Expansions} | Stages]) ->
    apply_stages(expand(Expansions, List), Stages);
apply_stages(List, []) -> List.

-spec from_map(map()) -> [{term(), term()}].
from_map(Map) -> maps:to_list(Map).
