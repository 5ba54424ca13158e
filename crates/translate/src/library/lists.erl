%% Functions of the lists module that have no text of their own in the prelude, as first-order Erlang.
-module(lists).
-export([reverse/1, reverse/2, append/1, append/2, subtract/2, last/1, nth/2, nthtail/2, seq/2, sum/1, max/1, min/1,
         sublist/2, zip/2, delete/2, droplast/1, duplicate/2, keyfind/3, keymember/3, keydelete/3, keyreplace/4,
         keystore/4, sort/1, usort/1, prefix/2]).

reverse(L) -> reverse(L, []).
reverse([], Acc) -> Acc;
reverse([H | T], Acc) -> reverse(T, [H | Acc]).

append([]) -> [];
append([L | Ls]) -> L ++ append(Ls).
append(A, B) -> A ++ B.

subtract(A, B) -> A -- B.

last([X]) -> X;
last([_ | T]) -> last(T).

droplast([_]) -> [];
droplast([H | T]) -> [H | droplast(T)].

nth(1, [H | _]) -> H;
nth(N, [_ | T]) -> nth(N - 1, T).

nthtail(0, L) -> L;
nthtail(N, [_ | T]) -> nthtail(N - 1, T).

seq(From, To) ->
    if
        From > To -> [];
        true -> [From | seq(From + 1, To)]
    end.

duplicate(0, _) -> [];
duplicate(N, X) -> [X | duplicate(N - 1, X)].

sum([]) -> 0;
sum([H | T]) -> H + sum(T).

max([X]) -> X;
max([H | T]) -> erlang:max(H, max(T)).

min([X]) -> X;
min([H | T]) -> erlang:min(H, min(T)).

sublist(_, 0) -> [];
sublist([], _) -> [];
sublist([H | T], N) -> [H | sublist(T, N - 1)].

zip([], []) -> [];
zip([A | As], [B | Bs]) -> [{A, B} | zip(As, Bs)].

delete(_, []) -> [];
delete(X, [H | T]) ->
    if
        X =:= H -> T;
        true -> [H | delete(X, T)]
    end.

prefix([], _) -> true;
prefix([H | T], [G | U]) -> H =:= G andalso prefix(T, U);
prefix(_, _) -> false.

keyfind(_, _, []) -> false;
keyfind(Key, N, [H | T]) ->
    if
        element(N, H) == Key -> H;
        true -> keyfind(Key, N, T)
    end.

keymember(_, _, []) -> false;
keymember(Key, N, [H | T]) -> element(N, H) == Key orelse keymember(Key, N, T).

keydelete(_, _, []) -> [];
keydelete(Key, N, [H | T]) ->
    if
        element(N, H) == Key -> T;
        true -> [H | keydelete(Key, N, T)]
    end.

keyreplace(_, _, [], _) -> [];
keyreplace(Key, N, [H | T], New) ->
    if
        element(N, H) == Key -> [New | T];
        true -> [H | keyreplace(Key, N, T, New)]
    end.

keystore(_, _, [], New) -> [New];
keystore(Key, N, [H | T], New) ->
    if
        element(N, H) == Key -> [New | T];
        true -> [H | keystore(Key, N, T, New)]
    end.

sort([]) -> [];
sort([H | T]) -> insert(H, sort(T)).

insert(X, []) -> [X];
insert(X, [H | T]) ->
    if
        X =< H -> [X, H | T];
        true -> [H | insert(X, T)]
    end.

usort(L) -> unique(sort(L)).

unique([]) -> [];
unique([X]) -> [X];
unique([A, B | T]) ->
    if
        A =:= B -> unique([B | T]);
        true -> [A | unique([B | T])]
    end.
