%% Arrays that grow as they are written to, with a default for entries never set.
%% An array is {array, Size, Kind, Default, Entries}; Kind is fixed or extendible and Entries maps
%% indices to values that differ from the default. Upstream keeps a tree of tuples; ours does not
%% show how it was built, so that equal contents are equal states.
-module(array).

-export([new/0, new/1, new/2, is_array/1, set/3, get/2, size/1, sparse_size/1, default/1,
         reset/2, to_list/1, sparse_to_list/1, from_list/1, from_list/2, to_orddict/1,
         sparse_to_orddict/1, from_orddict/1, from_orddict/2, map/2, sparse_map/2, foldl/3,
         foldr/3, sparse_foldl/3, sparse_foldr/3, fix/1, relax/1, is_fix/1, resize/1, resize/2]).
-export_type([array/0, array/1]).
-compile({no_auto_import, [size/1]}).

-record(array, {size = 0, kind = extendible, default = undefined, entries = #{}}).
-opaque array(T) :: #array{default :: T}.
-type array() :: array(term()).

-spec new() -> array().
new() -> #array{}.

-spec new(term()) -> array().
new(Options) -> options(Options, #array{}).

-spec new(non_neg_integer(), term()) -> array().
new(Size, Options) when is_integer(Size), Size >= 0 ->
    options(Options, #array{size = Size, kind = fixed});
new(_, _) -> erlang:error(badarg).

%% A size makes an array fixed unless an option says otherwise. Later options win.
options(Options, Array) when is_list(Options) -> lists:foldl(fun option/2, Array, Options);
options(Option, Array) -> option(Option, Array).

option(fixed, Array) -> Array#array{kind = fixed};
option({fixed, true}, Array) -> Array#array{kind = fixed};
option({fixed, false}, Array) -> Array#array{kind = extendible};
option({default, Default}, Array) -> Array#array{default = Default};
option({size, Size}, Array) -> option(Size, Array);
option(Size, Array) when is_integer(Size), Size >= 0 -> Array#array{size = Size, kind = fixed};
option(_, _) -> erlang:error(badarg).

-spec is_array(term()) -> boolean().
is_array(#array{size = Size, entries = Entries}) -> is_integer(Size) andalso is_map(Entries);
is_array(_) -> false.

-spec size(array()) -> non_neg_integer().
size(#array{size = Size}) -> Size;
size(_) -> erlang:error(badarg).

-spec default(array(T)) -> T.
default(#array{default = Default}) -> Default;
default(_) -> erlang:error(badarg).

-spec is_fix(array()) -> boolean().
is_fix(#array{kind = Kind}) -> Kind =:= fixed.

-spec fix(array(T)) -> array(T).
fix(#array{} = Array) -> Array#array{kind = fixed}.

-spec relax(array(T)) -> array(T).
relax(#array{} = Array) -> Array#array{kind = extendible}.

-spec get(non_neg_integer(), array(T)) -> T.
get(I, #array{size = Size} = Array) when is_integer(I), I >= 0, I < Size -> entry(I, Array);
get(I, #array{kind = extendible, default = Default}) when is_integer(I), I >= 0 -> Default;
get(_, _) -> erlang:error(badarg).

entry(I, #array{entries = Entries, default = Default}) -> maps:get(I, Entries, Default).

-spec set(non_neg_integer(), T, array(T)) -> array(T).
set(I, Value, #array{size = Size} = Array) when is_integer(I), I >= 0, I < Size ->
    put_entry(I, Value, Array);
set(I, Value, #array{kind = extendible} = Array) when is_integer(I), I >= 0 ->
    put_entry(I, Value, Array#array{size = I + 1});
set(_, _, _) -> erlang:error(badarg).

put_entry(I, Default, #array{default = Default, entries = Entries} = Array) ->
    Array#array{entries = maps:remove(I, Entries)};
put_entry(I, Value, #array{entries = Entries} = Array) ->
    Array#array{entries = Entries#{I => Value}}.

-spec reset(non_neg_integer(), array(T)) -> array(T).
reset(I, #array{size = Size, default = Default} = Array) when is_integer(I), I >= 0, I < Size ->
    put_entry(I, Default, Array);
reset(I, #array{kind = extendible} = Array) when is_integer(I), I >= 0 -> Array;
reset(_, _) -> erlang:error(badarg).

-spec resize(array(T)) -> array(T).
resize(Array) -> resize(sparse_size(Array), Array).

-spec resize(non_neg_integer(), array(T)) -> array(T).
resize(Size, #array{entries = Entries} = Array) when is_integer(Size), Size >= 0 ->
    Kept = maps:from_list([Entry || {I, _} = Entry <- maps:to_list(Entries), I < Size]),
    Array#array{size = Size, entries = Kept};
resize(_, _) -> erlang:error(badarg).

-spec sparse_size(array()) -> non_neg_integer().
sparse_size(#array{entries = Entries}) ->
    case maps:keys(Entries) of
        [] -> 0;
        Indices -> lists:max(Indices) + 1
    end;
sparse_size(_) -> erlang:error(badarg).

%%% To and from lists.

-spec from_list([T]) -> array(T).
from_list(List) -> from_list(List, undefined).

-spec from_list([T], term()) -> array(T).
from_list(List, Default) when is_list(List) -> from_list(List, 0, #array{default = Default});
from_list(_, _) -> erlang:error(badarg).

from_list([Value | Rest], I, Array) -> from_list(Rest, I + 1, set(I, Value, Array));
from_list([], _, Array) -> Array;
from_list(_, _, _) -> erlang:error(badarg).

-spec from_orddict([{non_neg_integer(), T}]) -> array(T).
from_orddict(Pairs) -> from_orddict(Pairs, undefined).

-spec from_orddict([{non_neg_integer(), T}], term()) -> array(T).
from_orddict(Pairs, Default) when is_list(Pairs) -> from_pairs(Pairs, #array{default = Default});
from_orddict(_, _) -> erlang:error(badarg).

from_pairs([{I, Value} | Rest], #array{size = Size} = Array) when is_integer(I), I >= Size ->
    from_pairs(Rest, set(I, Value, Array));
from_pairs([], Array) -> Array;
from_pairs(_, _) -> erlang:error(badarg).

-spec to_list(array(T)) -> [T].
to_list(Array) -> [Value || {_, Value} <- to_orddict(Array)].

-spec to_orddict(array(T)) -> [{non_neg_integer(), T}].
to_orddict(#array{size = Size} = Array) -> [{I, entry(I, Array)} || I <- lists:seq(0, Size - 1)];
to_orddict(_) -> erlang:error(badarg).

-spec sparse_to_list(array(T)) -> [T].
sparse_to_list(Array) -> [Value || {_, Value} <- sparse_to_orddict(Array)].

-spec sparse_to_orddict(array(T)) -> [{non_neg_integer(), T}].
sparse_to_orddict(#array{entries = Entries}) -> lists:sort(maps:to_list(Entries));
sparse_to_orddict(_) -> erlang:error(badarg).

%%% Walking. The sparse forms pass over entries that have the default value.

-spec map(fun((non_neg_integer(), A) -> B), array(A)) -> array(A | B).
map(F, Array) when is_function(F, 2) -> map_pairs(F, to_orddict(Array), Array);
map(_, _) -> erlang:error(badarg).

-spec sparse_map(fun((non_neg_integer(), A) -> B), array(A)) -> array(A | B).
sparse_map(F, Array) when is_function(F, 2) -> map_pairs(F, sparse_to_orddict(Array), Array);
sparse_map(_, _) -> erlang:error(badarg).

map_pairs(F, [{I, Value} | Rest], Array) -> map_pairs(F, Rest, put_entry(I, F(I, Value), Array));
map_pairs(_, [], Array) -> Array.

-spec foldl(fun((non_neg_integer(), T, Acc) -> Acc), Acc, array(T)) -> Acc.
foldl(F, Acc, Array) when is_function(F, 3) -> fold_pairs(F, Acc, to_orddict(Array));
foldl(_, _, _) -> erlang:error(badarg).

-spec foldr(fun((non_neg_integer(), T, Acc) -> Acc), Acc, array(T)) -> Acc.
foldr(F, Acc, Array) when is_function(F, 3) -> fold_pairs(F, Acc, lists:reverse(to_orddict(Array)));
foldr(_, _, _) -> erlang:error(badarg).

-spec sparse_foldl(fun((non_neg_integer(), T, Acc) -> Acc), Acc, array(T)) -> Acc.
sparse_foldl(F, Acc, Array) when is_function(F, 3) -> fold_pairs(F, Acc, sparse_to_orddict(Array));
sparse_foldl(_, _, _) -> erlang:error(badarg).

-spec sparse_foldr(fun((non_neg_integer(), T, Acc) -> Acc), Acc, array(T)) -> Acc.
sparse_foldr(F, Acc, Array) when is_function(F, 3) ->
    fold_pairs(F, Acc, lists:reverse(sparse_to_orddict(Array)));
sparse_foldr(_, _, _) -> erlang:error(badarg).

fold_pairs(F, Acc, [{I, Value} | Rest]) -> fold_pairs(F, F(I, Value, Acc), Rest);
fold_pairs(_, Acc, []) -> Acc.
