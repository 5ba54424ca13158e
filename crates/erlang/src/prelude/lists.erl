%% Functions of lists that call funs, and those that are compositions of others. The rest is native.
%% Sorting is a stable bottom-up merge sort on runs.
-module(lists).

-export([all/2, any/2, dropwhile/2, filter/2, filtermap/2, flatmap/2, foldl/3, foldr/3, foreach/2,
         keymap/3, map/2, mapfoldl/3, mapfoldr/3, partition/2, search/2, splitwith/2, takewhile/2,
         uniq/2, zf/2, zipwith/3, zipwith/4, zipwith3/4, zipwith3/5, zip/3, zip3/4]).
-export([sort/2, usort/2, merge/3, merge3/3, umerge/3, umerge3/3, ukeymerge/3, rmerge/2, rmerge/3,
         rmerge3/3, rumerge/2, rumerge/3, rumerge3/3, rkeymerge/3, rukeymerge/3]).

%%% Walking with a fun.

%% Upstream's error for what is no list at all.
some_list(List) when is_list(List) -> List;
some_list(Other) -> erlang:error({case_clause, Other}).

-spec all(fun((T) -> boolean()), [T]) -> boolean().
all(F, List) when is_function(F, 1) -> all_loop(F, some_list(List)).

all_loop(F, [X | Rest]) ->
    case F(X) of
        true -> all_loop(F, Rest);
        false -> false
    end;
all_loop(_, []) -> true.

-spec any(fun((T) -> boolean()), [T]) -> boolean().
any(F, List) when is_function(F, 1) -> any_loop(F, some_list(List)).

any_loop(F, [X | Rest]) ->
    case F(X) of
        true -> true;
        false -> any_loop(F, Rest)
    end;
any_loop(_, []) -> false.

-spec map(fun((A) -> B), [A]) -> [B].
map(F, List) when is_function(F, 1) -> map_loop(F, some_list(List)).

map_loop(F, [X | Rest]) -> [F(X) | map_loop(F, Rest)];
map_loop(_, []) -> [].

-spec filter(fun((T) -> boolean()), [T]) -> [T].
filter(F, List) when is_function(F, 1) -> [X || X <- List, F(X)].

-spec filtermap(fun((A) -> boolean() | {true, B}), [A]) -> [A | B].
filtermap(F, List) when is_function(F, 1) -> filtermap_loop(F, List).

filtermap_loop(F, [X | Rest]) ->
    case F(X) of
        true -> [X | filtermap_loop(F, Rest)];
        {true, Value} -> [Value | filtermap_loop(F, Rest)];
        false -> filtermap_loop(F, Rest)
    end;
filtermap_loop(_, []) -> [].

%% The old name of filtermap/2.
zf(F, List) -> filtermap(F, List).

-spec flatmap(fun((A) -> [B]), [A]) -> [B].
flatmap(F, List) when is_function(F, 1) -> flatmap_loop(F, List).

flatmap_loop(F, [X | Rest]) -> F(X) ++ flatmap_loop(F, Rest);
flatmap_loop(_, []) -> [].

-spec foldl(fun((T, Acc) -> Acc), Acc, [T]) -> Acc.
foldl(F, Acc, List) when is_function(F, 2) -> foldl_loop(F, Acc, some_list(List)).

foldl_loop(F, Acc, [X | Rest]) -> foldl_loop(F, F(X, Acc), Rest);
foldl_loop(_, Acc, []) -> Acc.

-spec foldr(fun((T, Acc) -> Acc), Acc, [T]) -> Acc.
foldr(F, Acc, List) when is_function(F, 2) -> foldr_loop(F, Acc, List).

foldr_loop(F, Acc, [X | Rest]) -> F(X, foldr_loop(F, Acc, Rest));
foldr_loop(_, Acc, []) -> Acc.

-spec foreach(fun((T) -> term()), [T]) -> ok.
foreach(F, List) when is_function(F, 1) -> foreach_loop(F, List).

foreach_loop(F, [X | Rest]) ->
    F(X),
    foreach_loop(F, Rest);
foreach_loop(_, []) -> ok.

-spec mapfoldl(fun((A, Acc) -> {B, Acc}), Acc, [A]) -> {[B], Acc}.
mapfoldl(F, Acc, List) when is_function(F, 2) -> mapfoldl_loop(F, Acc, List).

mapfoldl_loop(F, Acc, [X | Rest]) ->
    {Y, Acc1} = F(X, Acc),
    {Ys, Acc2} = mapfoldl_loop(F, Acc1, Rest),
    {[Y | Ys], Acc2};
mapfoldl_loop(_, Acc, []) -> {[], Acc}.

-spec mapfoldr(fun((A, Acc) -> {B, Acc}), Acc, [A]) -> {[B], Acc}.
mapfoldr(F, Acc, List) when is_function(F, 2) -> mapfoldr_loop(F, Acc, List).

mapfoldr_loop(F, Acc, [X | Rest]) ->
    {Ys, Acc1} = mapfoldr_loop(F, Acc, Rest),
    {Y, Acc2} = F(X, Acc1),
    {[Y | Ys], Acc2};
mapfoldr_loop(_, Acc, []) -> {[], Acc}.

-spec partition(fun((T) -> boolean()), [T]) -> {[T], [T]}.
partition(F, List) when is_function(F, 1) -> partition_loop(F, List, [], []).

partition_loop(F, [X | Rest], Yes, No) ->
    case F(X) of
        true -> partition_loop(F, Rest, [X | Yes], No);
        false -> partition_loop(F, Rest, Yes, [X | No])
    end;
partition_loop(_, [], Yes, No) -> {lists:reverse(Yes), lists:reverse(No)}.

-spec splitwith(fun((T) -> boolean()), [T]) -> {[T], [T]}.
splitwith(F, List) when is_function(F, 1) -> splitwith_loop(F, List, []).

splitwith_loop(F, [X | Rest] = List, Taken) ->
    case F(X) of
        true -> splitwith_loop(F, Rest, [X | Taken]);
        false -> {lists:reverse(Taken), List}
    end;
splitwith_loop(_, [], Taken) -> {lists:reverse(Taken), []}.

-spec takewhile(fun((T) -> boolean()), [T]) -> [T].
takewhile(F, List) when is_function(F, 1) -> takewhile_loop(F, List).

takewhile_loop(F, [X | Rest]) ->
    case F(X) of
        true -> [X | takewhile_loop(F, Rest)];
        false -> []
    end;
takewhile_loop(_, []) -> [].

-spec dropwhile(fun((T) -> boolean()), [T]) -> [T].
dropwhile(F, List) when is_function(F, 1) -> dropwhile_loop(F, List).

dropwhile_loop(F, [X | Rest] = List) ->
    case F(X) of
        true -> dropwhile_loop(F, Rest);
        false -> List
    end;
dropwhile_loop(_, []) -> [].

-spec search(fun((T) -> boolean()), [T]) -> {value, T} | false.
search(F, List) when is_function(F, 1) -> search_loop(F, List).

search_loop(F, [X | Rest]) ->
    case F(X) of
        true -> {value, X};
        false -> search_loop(F, Rest)
    end;
search_loop(_, []) -> false.

-spec zipwith(fun((A, B) -> C), [A], [B]) -> [C].
zipwith(F, [A | As], [B | Bs]) -> [F(A, B) | zipwith(F, As, Bs)];
zipwith(F, [], []) when is_function(F, 2) -> [].

-spec zipwith3(fun((A, B, C) -> D), [A], [B], [C]) -> [D].
zipwith3(F, [A | As], [B | Bs], [C | Cs]) -> [F(A, B, C) | zipwith3(F, As, Bs, Cs)];
zipwith3(F, [], [], []) when is_function(F, 3) -> [].

-spec uniq(fun((T) -> term()), [T]) -> [T].
uniq(F, List) when is_function(F, 1) -> uniq_loop(F, List, #{}).

uniq_loop(F, [X | Rest], Seen) ->
    Key = F(X),
    case Seen of
        #{Key := _} -> uniq_loop(F, Rest, Seen);
        #{} -> [X | uniq_loop(F, Rest, Seen#{Key => seen})]
    end;
uniq_loop(_, [], _) -> [].

-spec keymap(fun((term()) -> term()), pos_integer(), [tuple()]) -> [tuple()].
keymap(F, N, List) when is_function(F, 1), is_integer(N), N > 0 -> keymap_loop(F, N, List).

keymap_loop(F, N, [X | Rest]) ->
    [setelement(N, X, F(element(N, X))) | keymap_loop(F, N, Rest)];
keymap_loop(_, _, []) -> [].

%%% Sorting. `Before` says whether its first argument may stand before its second (=<).

-spec sort(fun((T, T) -> boolean()), [T]) -> [T].
sort(Before, List) when is_function(Before, 2) -> sort_with(Before, List).

-spec usort(fun((T, T) -> boolean()), [T]) -> [T].
usort(Before, List) when is_function(Before, 2) -> usort_with(Before, List).

key_before(N) -> fun(A, B) -> element(N, A) =< element(N, B) end.

sort_with(Before, List) -> merge_runs(Before, singletons(List)).

singletons([X | Rest]) -> [[X] | singletons(Rest)];
singletons([]) -> [].

merge_runs(_, []) -> [];
merge_runs(_, [Run]) -> Run;
merge_runs(Before, Runs) -> merge_runs(Before, merge_pairs(Before, Runs)).

merge_pairs(Before, [A, B | Rest]) -> [merge_with(Before, A, B) | merge_pairs(Before, Rest)];
merge_pairs(_, Rest) -> Rest.

%% Of elements that compare equal the first one stays.
usort_with(Before, List) -> drop_repeats(Before, sort_with(Before, List)).

drop_repeats(Before, [A, B | Rest]) ->
    case Before(B, A) of
        true -> drop_repeats(Before, [A | Rest]);
        false -> [A | drop_repeats(Before, [B | Rest])]
    end;
drop_repeats(_, Rest) -> Rest.

%%% Merging sorted lists. Equal elements come from the first list first; the u-forms keep only
%%% those.

-spec merge(fun((T, T) -> boolean()), [T], [T]) -> [T].
merge(Before, A, B) when is_function(Before, 2) -> merge_with(Before, A, B).

-spec merge3([T], [T], [T]) -> [T].
merge3(A, B, C) -> lists:merge(lists:merge(A, B), C).

-spec umerge(fun((T, T) -> boolean()), [T], [T]) -> [T].
umerge(Before, A, B) when is_function(Before, 2) -> umerge_with(Before, A, B).

-spec umerge3([T], [T], [T]) -> [T].
umerge3(A, B, C) -> lists:umerge(lists:umerge(A, B), C).

-spec ukeymerge(pos_integer(), [tuple()], [tuple()]) -> [tuple()].
ukeymerge(N, A, B) when is_integer(N), N > 0 -> umerge_with(key_before(N), A, B).

merge_with(Before, [A | As] = All, [B | Bs] = Others) ->
    case Before(A, B) of
        true -> [A | merge_with(Before, As, Others)];
        false -> [B | merge_with(Before, All, Bs)]
    end;
merge_with(_, [], Others) -> Others;
merge_with(_, All, []) -> All.

umerge_with(Before, [A | As] = All, [B | Bs] = Others) ->
    case {Before(A, B), Before(B, A)} of
        {true, true} -> umerge_with(Before, All, Bs);
        {true, false} -> [A | umerge_with(Before, As, Others)];
        {false, _} -> [B | umerge_with(Before, All, Bs)]
    end;
umerge_with(_, [], Others) -> Others;
umerge_with(_, All, []) -> All.

%%% The same for lists sorted downwards. Undocumented upstream, used by old programs.

rmerge(A, B) -> lists:reverse(lists:merge(lists:reverse(A), lists:reverse(B))).

rmerge(Before, A, B) when is_function(Before, 2) ->
    lists:reverse(merge_with(Before, lists:reverse(A), lists:reverse(B))).

rmerge3(A, B, C) -> lists:reverse(merge3(lists:reverse(A), lists:reverse(B), lists:reverse(C))).

rumerge(A, B) -> lists:reverse(lists:umerge(lists:reverse(A), lists:reverse(B))).

rumerge(Before, A, B) when is_function(Before, 2) ->
    lists:reverse(umerge_with(Before, lists:reverse(A), lists:reverse(B))).

rumerge3(A, B, C) -> lists:reverse(umerge3(lists:reverse(A), lists:reverse(B), lists:reverse(C))).

rkeymerge(N, A, B) -> lists:reverse(lists:keymerge(N, lists:reverse(A), lists:reverse(B))).

rukeymerge(N, A, B) -> lists:reverse(ukeymerge(N, lists:reverse(A), lists:reverse(B))).

%%% Lists of different lengths, as of OTP 26: fail, trim, or {pad, Defaults}.

zip(As, Bs, How) -> zipwith(fun(A, B) -> {A, B} end, As, Bs, How).
zip3(As, Bs, Cs, How) -> zipwith3(fun(A, B, C) -> {A, B, C} end, As, Bs, Cs, How).

zipwith(F, [A | As], [B | Bs], How) -> [F(A, B) | zipwith(F, As, Bs, How)];
zipwith(F, [], [], _) when is_function(F, 2) -> [];
zipwith(F, As, Bs, trim) when is_function(F, 2), is_list(As), is_list(Bs) -> [];
zipwith(F, As, [], {pad, {_, B}}) when is_function(F, 2) -> [F(A, B) || A <- As];
zipwith(F, [], Bs, {pad, {A, _}}) when is_function(F, 2) -> [F(A, B) || B <- Bs].

zipwith3(F, [A | As], [B | Bs], [C | Cs], How) -> [F(A, B, C) | zipwith3(F, As, Bs, Cs, How)];
zipwith3(F, [], [], [], _) when is_function(F, 3) -> [];
zipwith3(F, As, Bs, Cs, trim) when is_function(F, 3), is_list(As), is_list(Bs), is_list(Cs) -> [];
zipwith3(F, As, Bs, Cs, {pad, {A0, B0, C0}} = How) when is_function(F, 3) ->
    {A, As1} = first(As, A0),
    {B, Bs1} = first(Bs, B0),
    {C, Cs1} = first(Cs, C0),
    [F(A, B, C) | zipwith3(F, As1, Bs1, Cs1, How)].

first([X | Xs], _) -> {X, Xs};
first([], Default) -> {Default, []}.
