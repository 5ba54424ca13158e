%% Functions of lists that call funs. The others are built in.
-module(lists).
-export([map/2, filter/2, foldl/3, foldr/3, foreach/2, any/2, all/2, partition/2, flatmap/2,
         filtermap/2, mapfoldl/3, mapfoldr/3, sort/2, usort/2, merge/3, splitwith/2, takewhile/2,
         dropwhile/2, zipwith/3, zipwith3/4, search/2, keymap/3, uniq/2]).

map(F, [H | T]) -> [F(H) | map(F, T)];
map(F, []) when is_function(F, 1) -> [].

filter(F, List) when is_function(F, 1) -> [X || X <- List, F(X)].

foldl(F, Acc, List) when is_function(F, 2) -> foldl_1(F, Acc, List).

foldl_1(F, Acc, [H | T]) -> foldl_1(F, F(H, Acc), T);
foldl_1(_, Acc, []) -> Acc.

foldr(F, Acc, [H | T]) -> F(H, foldr(F, Acc, T));
foldr(F, Acc, []) when is_function(F, 2) -> Acc.

foreach(F, [H | T]) -> F(H), foreach(F, T);
foreach(F, []) when is_function(F, 1) -> ok.

any(F, [H | T]) ->
    case F(H) of
        true -> true;
        false -> any(F, T)
    end;
any(F, []) when is_function(F, 1) -> false.

all(F, [H | T]) ->
    case F(H) of
        true -> all(F, T);
        false -> false
    end;
all(F, []) when is_function(F, 1) -> true.

partition(F, List) -> partition(F, List, [], []).

partition(F, [H | T], Yes, No) ->
    case F(H) of
        true -> partition(F, T, [H | Yes], No);
        false -> partition(F, T, Yes, [H | No])
    end;
partition(F, [], Yes, No) when is_function(F, 1) -> {lists:reverse(Yes), lists:reverse(No)}.

flatmap(F, [H | T]) -> F(H) ++ flatmap(F, T);
flatmap(F, []) when is_function(F, 1) -> [].

filtermap(F, [H | T]) ->
    case F(H) of
        true -> [H | filtermap(F, T)];
        {true, Value} -> [Value | filtermap(F, T)];
        false -> filtermap(F, T)
    end;
filtermap(F, []) when is_function(F, 1) -> [].

mapfoldl(F, Acc0, [H | T]) ->
    {R, Acc1} = F(H, Acc0),
    {Rs, Acc2} = mapfoldl(F, Acc1, T),
    {[R | Rs], Acc2};
mapfoldl(F, Acc, []) when is_function(F, 2) -> {[], Acc}.

mapfoldr(F, Acc0, [H | T]) ->
    {Rs, Acc1} = mapfoldr(F, Acc0, T),
    {R, Acc2} = F(H, Acc1),
    {[R | Rs], Acc2};
mapfoldr(F, Acc, []) when is_function(F, 2) -> {[], Acc}.

sort(_, []) -> [];
sort(_, [_] = List) -> List;
sort(F, List) when is_function(F, 2) ->
    {Left, Right} = lists:split(length(List) div 2, List),
    merge(F, sort(F, Left), sort(F, Right)).

merge(F, [A | As] = Left, [B | Bs] = Right) ->
    case F(A, B) of
        true -> [A | merge(F, As, Right)];
        false -> [B | merge(F, Left, Bs)]
    end;
merge(_, [], Right) -> Right;
merge(_, Left, []) -> Left.

usort(F, List) -> without_repeats(F, sort(F, List)).

without_repeats(F, [A, B | T]) ->
    case F(B, A) of
        true -> without_repeats(F, [A | T]);
        false -> [A | without_repeats(F, [B | T])]
    end;
without_repeats(_, List) -> List.

splitwith(F, List) -> splitwith(F, List, []).

splitwith(F, [H | T] = List, Taken) ->
    case F(H) of
        true -> splitwith(F, T, [H | Taken]);
        false -> {lists:reverse(Taken), List}
    end;
splitwith(F, [], Taken) when is_function(F, 1) -> {lists:reverse(Taken), []}.

takewhile(F, [H | T]) ->
    case F(H) of
        true -> [H | takewhile(F, T)];
        false -> []
    end;
takewhile(F, []) when is_function(F, 1) -> [].

dropwhile(F, [H | T] = List) ->
    case F(H) of
        true -> dropwhile(F, T);
        false -> List
    end;
dropwhile(F, []) when is_function(F, 1) -> [].

zipwith(F, [X | Xs], [Y | Ys]) -> [F(X, Y) | zipwith(F, Xs, Ys)];
zipwith(F, [], []) when is_function(F, 2) -> [].

zipwith3(F, [X | Xs], [Y | Ys], [Z | Zs]) -> [F(X, Y, Z) | zipwith3(F, Xs, Ys, Zs)];
zipwith3(F, [], [], []) when is_function(F, 3) -> [].

search(F, [H | T]) ->
    case F(H) of
        true -> {value, H};
        false -> search(F, T)
    end;
search(F, []) when is_function(F, 1) -> false.

keymap(F, N, [Tuple | T]) -> [setelement(N, Tuple, F(element(N, Tuple))) | keymap(F, N, T)];
keymap(F, _, []) when is_function(F, 1) -> [].

uniq(F, List) -> uniq(F, List, #{}).

uniq(F, [H | T], Seen) ->
    Key = F(H),
    case Seen of
        #{Key := _} -> uniq(F, T, Seen);
        #{} -> [H | uniq(F, T, Seen#{Key => true})]
    end;
uniq(F, [], _) when is_function(F, 1) -> [].
