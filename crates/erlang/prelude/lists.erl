%% Lists: the whole documented API, with and without funs.
%% Why all of it: the evaluator does the hot functions natively, and this text says what they
%% mean; where both exist the native one must agree. Sorting is a stable bottom-up merge sort on
%% runs.
-module(lists).

-export([all/2, any/2, append/1, append/2, concat/1, delete/2, droplast/1, dropwhile/2,
         duplicate/2, enumerate/1, enumerate/2, filter/2, filtermap/2, flatlength/1, flatmap/2,
         flatten/1, flatten/2, foldl/3, foldr/3, foreach/2, join/2, last/1, map/2, mapfoldl/3,
         mapfoldr/3, max/1, member/2, min/1, nth/2, nthtail/2, partition/2, prefix/2, reverse/1,
         reverse/2, search/2, seq/2, seq/3, split/2, splitwith/2, sublist/2, sublist/3,
         subtract/2, suffix/2, sum/1, takewhile/2, uniq/1, uniq/2, unzip/1, unzip3/1, zf/2,
         zip/2, zip3/3, zipwith/3, zipwith3/4]).
-export([keydelete/3, keyfind/3, keymap/3, keymember/3, keyreplace/4, keysearch/3, keystore/4,
         keytake/3]).
-export([sort/1, sort/2, usort/1, usort/2, keysort/2, ukeysort/2]).
-export([merge/1, merge/2, merge/3, merge3/3, umerge/1, umerge/2, umerge/3, umerge3/3,
         keymerge/3, ukeymerge/3, rmerge/2, rmerge/3, rmerge3/3, rumerge/2, rumerge/3,
         rumerge3/3, rkeymerge/3, rukeymerge/3]).

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
partition_loop(_, [], Yes, No) -> {reverse(Yes), reverse(No)}.

-spec splitwith(fun((T) -> boolean()), [T]) -> {[T], [T]}.
splitwith(F, List) when is_function(F, 1) -> splitwith_loop(F, List, []).

splitwith_loop(F, [X | Rest] = List, Taken) ->
    case F(X) of
        true -> splitwith_loop(F, Rest, [X | Taken]);
        false -> {reverse(Taken), List}
    end;
splitwith_loop(_, [], Taken) -> {reverse(Taken), []}.

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

%%% Building and taking apart.

-spec append([[T]]) -> [T].
append([Last]) -> Last;
append([List | Rest]) -> List ++ append(Rest);
append([]) -> [].

-spec append([T], [T]) -> [T].
append(A, B) -> A ++ B.

-spec concat([atom() | integer() | float() | string()]) -> string().
concat(Things) -> flatmap(fun thing_to_list/1, Things).

thing_to_list(X) when is_integer(X) -> integer_to_list(X);
thing_to_list(X) when is_float(X) -> float_to_list(X);
thing_to_list(X) when is_atom(X) -> atom_to_list(X);
thing_to_list(X) when is_list(X) -> X.

-spec delete(T, [T]) -> [T].
delete(X, [X | Rest]) -> Rest;
delete(X, [Y | Rest]) -> [Y | delete(X, Rest)];
delete(_, []) -> [].

-spec droplast([T, ...]) -> [T].
droplast([_]) -> [];
droplast([X | Rest]) -> [X | droplast(Rest)].

-spec duplicate(non_neg_integer(), T) -> [T].
duplicate(N, X) when is_integer(N), N >= 0 -> duplicate_loop(N, X, []).

duplicate_loop(0, _, List) -> List;
duplicate_loop(N, X, List) -> duplicate_loop(N - 1, X, [X | List]).

-spec enumerate([T]) -> [{integer(), T}].
enumerate(List) -> enumerate(1, List).

-spec enumerate(integer(), [T]) -> [{integer(), T}].
enumerate(I, List) when is_integer(I) -> enumerate_loop(I, List).

enumerate_loop(I, [X | Rest]) -> [{I, X} | enumerate_loop(I + 1, Rest)];
enumerate_loop(_, []) -> [].

-spec flatlength([term()]) -> non_neg_integer().
flatlength(Deep) -> flatlength(Deep, 0).

flatlength([X | Rest], N) when is_list(X) -> flatlength(X, flatlength(Rest, N));
flatlength([_ | Rest], N) -> flatlength(Rest, N + 1);
flatlength([], N) -> N.

-spec flatten([term()]) -> [term()].
flatten(Deep) when is_list(Deep) -> flatten_onto(Deep, []).

-spec flatten([term()], [term()]) -> [term()].
flatten(Deep, Tail) when is_list(Deep), is_list(Tail) -> flatten_onto(Deep, Tail).

flatten_onto([X | Rest], Tail) when is_list(X) -> flatten_onto(X, flatten_onto(Rest, Tail));
flatten_onto([X | Rest], Tail) -> [X | flatten_onto(Rest, Tail)];
flatten_onto([], Tail) -> Tail.

-spec join(T, [T]) -> [T].
join(_, []) -> [];
join(Separator, [X | Rest]) -> [X | join_rest(Separator, Rest)].

join_rest(Separator, [X | Rest]) -> [Separator, X | join_rest(Separator, Rest)];
join_rest(_, []) -> [].

-spec last([T, ...]) -> T.
last([X]) -> X;
last([_ | Rest]) -> last(Rest).

-spec max([T, ...]) -> T.
max([X | Rest]) -> max_of(Rest, X).

max_of([X | Rest], Best) when X > Best -> max_of(Rest, X);
max_of([_ | Rest], Best) -> max_of(Rest, Best);
max_of([], Best) -> Best.

-spec min([T, ...]) -> T.
min([X | Rest]) -> min_of(Rest, X).

min_of([X | Rest], Best) when X < Best -> min_of(Rest, X);
min_of([_ | Rest], Best) -> min_of(Rest, Best);
min_of([], Best) -> Best.

-spec member(T, [T]) -> boolean().
member(X, [X | _]) -> true;
member(X, [_ | Rest]) -> member(X, Rest);
member(_, []) -> false;
member(_, _) -> erlang:error(badarg).

-spec nth(pos_integer(), [T, ...]) -> T.
nth(1, [X | _]) -> X;
nth(N, [_ | Rest]) when N > 1 -> nth(N - 1, Rest).

-spec nthtail(non_neg_integer(), [T]) -> [T].
nthtail(0, List) when is_list(List) -> List;
nthtail(N, [_ | Rest]) when N > 0 -> nthtail(N - 1, Rest).

-spec prefix([T], [T]) -> boolean().
prefix([X | As], [Y | Bs]) -> X =:= Y andalso prefix(As, Bs);
prefix([], List) when is_list(List) -> true;
prefix([_ | _], []) -> false.

-spec suffix([T], [T]) -> boolean().
suffix(Suffix, List) ->
    Extra = length(List) - length(Suffix),
    Extra >= 0 andalso nthtail(Extra, List) =:= Suffix.

-spec reverse([T]) -> [T].
reverse([]) -> [];
reverse([_] = List) -> List;
reverse([_, _ | _] = List) -> reverse(List, []).

-spec reverse([T], [T]) -> [T].
reverse([X | Rest], Tail) -> reverse(Rest, [X | Tail]);
reverse([], Tail) -> Tail;
reverse(_, _) -> erlang:error(badarg).

-spec seq(integer(), integer()) -> [integer()].
seq(From, To) when is_integer(From), is_integer(To), From - 1 =< To -> seq_down(From, To, 1, []).

-spec seq(integer(), integer(), integer()) -> [integer()].
seq(From, To, Step) when is_integer(From), is_integer(To), is_integer(Step) ->
    if
        Step > 0, From - Step =< To -> seq_step(From, To, Step);
        Step < 0, From - Step >= To -> seq_step(From, To, Step);
        Step =:= 0, From =:= To -> [From];
        true -> erlang:error(badarg)
    end;
seq(_, _, _) -> erlang:error(badarg).

seq_step(From, To, Step) ->
    Last = From + (To - From + Step) div Step * Step - Step,
    seq_down(From, Last, Step, []).

%% Built from the end, so that nothing has to be turned round.
seq_down(From, Last, Step, List) when Step > 0, Last < From; Step < 0, Last > From -> List;
seq_down(From, Last, Step, List) -> seq_down(From, Last - Step, Step, [Last | List]).

-spec split(non_neg_integer(), [T]) -> {[T], [T]}.
split(N, List) when is_integer(N), N >= 0, is_list(List) -> split_loop(N, List, []);
split(_, _) -> erlang:error(badarg).

split_loop(0, Rest, Taken) -> {reverse(Taken), Rest};
split_loop(N, [X | Rest], Taken) -> split_loop(N - 1, Rest, [X | Taken]);
split_loop(_, _, _) -> erlang:error(badarg).

-spec sublist([T], non_neg_integer()) -> [T].
sublist(List, Length) when is_list(List), is_integer(Length), Length >= 0 -> take(List, Length).

take(_, 0) -> [];
take([X | Rest], N) -> [X | take(Rest, N - 1)];
take([], _) -> [].

-spec sublist([T], pos_integer(), non_neg_integer()) -> [T].
sublist(List, 1, Length) when is_list(List), is_integer(Length), Length >= 0 -> take(List, Length);
sublist([], Start, _) when is_integer(Start), Start > 1 -> [];
sublist([_ | Rest], Start, Length) when is_integer(Start), Start > 1 ->
    sublist(Rest, Start - 1, Length).

-spec subtract([T], [T]) -> [T].
subtract(A, B) -> A -- B.

-spec sum([number()]) -> number().
sum(List) -> sum(List, 0).

sum([X | Rest], Sum) -> sum(Rest, Sum + X);
sum([], Sum) -> Sum.

-spec uniq([T]) -> [T].
uniq(List) -> uniq_loop(fun(X) -> X end, List, #{}).

-spec unzip([{A, B}]) -> {[A], [B]}.
unzip(Pairs) -> unzip(Pairs, [], []).

unzip([{A, B} | Rest], As, Bs) -> unzip(Rest, [A | As], [B | Bs]);
unzip([], As, Bs) -> {reverse(As), reverse(Bs)}.

-spec unzip3([{A, B, C}]) -> {[A], [B], [C]}.
unzip3(Triples) -> unzip3(Triples, [], [], []).

unzip3([{A, B, C} | Rest], As, Bs, Cs) -> unzip3(Rest, [A | As], [B | Bs], [C | Cs]);
unzip3([], As, Bs, Cs) -> {reverse(As), reverse(Bs), reverse(Cs)}.

-spec zip([A], [B]) -> [{A, B}].
zip([A | As], [B | Bs]) -> [{A, B} | zip(As, Bs)];
zip([], []) -> [].

-spec zip3([A], [B], [C]) -> [{A, B, C}].
zip3([A | As], [B | Bs], [C | Cs]) -> [{A, B, C} | zip3(As, Bs, Cs)];
zip3([], [], []) -> [].

%%% Tuples in lists, by the element at a position. Keys are compared with ==.

-spec keyfind(term(), pos_integer(), [term()]) -> tuple() | false.
keyfind(Key, N, List) when is_integer(N), N > 0 -> keyfind_loop(Key, N, List);
keyfind(_, _, _) -> erlang:error(badarg).

keyfind_loop(Key, N, [X | _]) when element(N, X) == Key -> X;
keyfind_loop(Key, N, [_ | Rest]) -> keyfind_loop(Key, N, Rest);
keyfind_loop(_, _, []) -> false;
keyfind_loop(_, _, _) -> erlang:error(badarg).

-spec keymember(term(), pos_integer(), [term()]) -> boolean().
keymember(Key, N, List) -> keyfind(Key, N, List) =/= false.

-spec keysearch(term(), pos_integer(), [term()]) -> {value, tuple()} | false.
keysearch(Key, N, List) ->
    case keyfind(Key, N, List) of
        false -> false;
        Tuple -> {value, Tuple}
    end.

-spec keydelete(term(), pos_integer(), [T]) -> [T].
keydelete(Key, N, List) when is_integer(N), N > 0 -> keydelete_loop(Key, N, List).

keydelete_loop(Key, N, [X | Rest]) when element(N, X) == Key -> Rest;
keydelete_loop(Key, N, [X | Rest]) -> [X | keydelete_loop(Key, N, Rest)];
keydelete_loop(_, _, []) -> [].

-spec keyreplace(term(), pos_integer(), [tuple()], tuple()) -> [tuple()].
keyreplace(Key, N, List, New) when is_integer(N), N > 0, is_tuple(New) ->
    keyreplace_loop(Key, N, List, New).

keyreplace_loop(Key, N, [X | Rest], New) when element(N, X) == Key -> [New | Rest];
keyreplace_loop(Key, N, [X | Rest], New) -> [X | keyreplace_loop(Key, N, Rest, New)];
keyreplace_loop(_, _, [], _) -> [].

-spec keystore(term(), pos_integer(), [tuple()], tuple()) -> [tuple(), ...].
keystore(Key, N, List, New) when is_integer(N), N > 0, is_tuple(New) ->
    keystore_loop(Key, N, List, New).

keystore_loop(Key, N, [X | Rest], New) when element(N, X) == Key -> [New | Rest];
keystore_loop(Key, N, [X | Rest], New) -> [X | keystore_loop(Key, N, Rest, New)];
keystore_loop(_, _, [], New) -> [New].

-spec keytake(term(), pos_integer(), [tuple()]) -> {value, tuple(), [tuple()]} | false.
keytake(Key, N, List) when is_integer(N), N > 0 -> keytake_loop(Key, N, List, []).

keytake_loop(Key, N, [X | Rest], Before) when element(N, X) == Key ->
    {value, X, reverse(Before, Rest)};
keytake_loop(Key, N, [X | Rest], Before) -> keytake_loop(Key, N, Rest, [X | Before]);
keytake_loop(_, _, [], _) -> false.

-spec keymap(fun((term()) -> term()), pos_integer(), [tuple()]) -> [tuple()].
keymap(F, N, List) when is_function(F, 1), is_integer(N), N > 0 -> keymap_loop(F, N, List).

keymap_loop(F, N, [X | Rest]) ->
    [setelement(N, X, F(element(N, X))) | keymap_loop(F, N, Rest)];
keymap_loop(_, _, []) -> [].

%%% Sorting. `Before` says whether its first argument may stand before its second (=<).

-spec sort([T]) -> [T].
sort(List) -> sort_with(fun(A, B) -> A =< B end, List).

-spec sort(fun((T, T) -> boolean()), [T]) -> [T].
sort(Before, List) when is_function(Before, 2) -> sort_with(Before, List).

-spec usort([T]) -> [T].
usort(List) -> usort_with(fun(A, B) -> A =< B end, List).

-spec usort(fun((T, T) -> boolean()), [T]) -> [T].
usort(Before, List) when is_function(Before, 2) -> usort_with(Before, List).

-spec keysort(pos_integer(), [tuple()]) -> [tuple()].
keysort(N, List) when is_integer(N), N > 0 ->
    sort_with(key_before(N), check_keys(N, some_list(List))).

-spec ukeysort(pos_integer(), [tuple()]) -> [tuple()].
ukeysort(N, List) when is_integer(N), N > 0 ->
    usort_with(key_before(N), check_keys(N, some_list(List))).

key_before(N) -> fun(A, B) -> element(N, A) =< element(N, B) end.

%% A wrong tuple is an error even where nothing would be compared with it, except alone in its list.
check_keys(_, [_] = List) -> List;
check_keys(N, List) ->
    foreach(fun(X) -> element(N, X) end, List),
    List.

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

-spec merge([[T]]) -> [T].
merge(Lists) when is_list(Lists) -> merge_runs(fun(A, B) -> A =< B end, Lists).

-spec merge([T], [T]) -> [T].
merge(A, B) -> merge_with(fun(X, Y) -> X =< Y end, A, B).

-spec merge(fun((T, T) -> boolean()), [T], [T]) -> [T].
merge(Before, A, B) when is_function(Before, 2) -> merge_with(Before, A, B).

-spec merge3([T], [T], [T]) -> [T].
merge3(A, B, C) -> merge(merge(A, B), C).

-spec umerge([[T]]) -> [T].
umerge(Lists) -> umerge_runs(fun(A, B) -> A =< B end, Lists).

-spec umerge([T], [T]) -> [T].
umerge(A, B) -> umerge_with(fun(X, Y) -> X =< Y end, A, B).

-spec umerge(fun((T, T) -> boolean()), [T], [T]) -> [T].
umerge(Before, A, B) when is_function(Before, 2) -> umerge_with(Before, A, B).

-spec umerge3([T], [T], [T]) -> [T].
umerge3(A, B, C) -> umerge(umerge(A, B), C).

-spec keymerge(pos_integer(), [tuple()], [tuple()]) -> [tuple()].
keymerge(N, A, B) when is_integer(N), N > 0 -> merge_with(key_before(N), A, B).

-spec ukeymerge(pos_integer(), [tuple()], [tuple()]) -> [tuple()].
ukeymerge(N, A, B) when is_integer(N), N > 0 -> umerge_with(key_before(N), A, B).

merge_with(Before, [A | As] = All, [B | Bs] = Others) ->
    case Before(A, B) of
        true -> [A | merge_with(Before, As, Others)];
        false -> [B | merge_with(Before, All, Bs)]
    end;
merge_with(_, [], Others) -> Others;
merge_with(_, All, []) -> All.

umerge_runs(_, []) -> [];
umerge_runs(_, [Run]) -> Run;
umerge_runs(Before, [A, B | Rest]) -> umerge_runs(Before, [umerge_with(Before, A, B) | Rest]).

umerge_with(Before, [A | As] = All, [B | Bs] = Others) ->
    case {Before(A, B), Before(B, A)} of
        {true, true} -> umerge_with(Before, All, Bs);
        {true, false} -> [A | umerge_with(Before, As, Others)];
        {false, _} -> [B | umerge_with(Before, All, Bs)]
    end;
umerge_with(_, [], Others) -> Others;
umerge_with(_, All, []) -> All.

%%% The same for lists sorted downwards. Undocumented upstream, used by old programs.

rmerge(A, B) -> reverse(merge(reverse(A), reverse(B))).

rmerge(Before, A, B) when is_function(Before, 2) ->
    reverse(merge_with(Before, reverse(A), reverse(B))).

rmerge3(A, B, C) -> reverse(merge3(reverse(A), reverse(B), reverse(C))).

rumerge(A, B) -> reverse(umerge(reverse(A), reverse(B))).

rumerge(Before, A, B) when is_function(Before, 2) ->
    reverse(umerge_with(Before, reverse(A), reverse(B))).

rumerge3(A, B, C) -> reverse(umerge3(reverse(A), reverse(B), reverse(C))).

rkeymerge(N, A, B) -> reverse(keymerge(N, reverse(A), reverse(B))).

rukeymerge(N, A, B) -> reverse(ukeymerge(N, reverse(A), reverse(B))).
