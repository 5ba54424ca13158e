%% Sets as strictly ascending lists; elements are compared with ==.
-module(ordsets).

-export([new/0, is_set/1, size/1, is_empty/1, to_list/1, from_list/1, is_element/2,
         add_element/2, del_element/2, union/1, union/2, intersection/1, intersection/2,
         is_disjoint/2, subtract/2, is_subset/2, fold/3, filter/2]).
-export_type([ordset/1]).
-compile({no_auto_import, [size/1]}).

-type ordset(T) :: [T].

-spec new() -> ordset(none()).
new() -> [].

-spec is_set(term()) -> boolean().
is_set([]) -> true;
is_set([X | Rest]) -> ascends(Rest, X);
is_set(_) -> false.

ascends([X | Rest], Before) when Before < X -> ascends(Rest, X);
ascends([_ | _], _) -> false;
ascends([], _) -> true.

-spec size(ordset(term())) -> non_neg_integer().
size(Set) -> length(Set).

-spec is_empty(ordset(term())) -> boolean().
is_empty(Set) -> Set =:= [].

-spec to_list(ordset(T)) -> [T].
to_list(Set) -> Set.

-spec from_list([T]) -> ordset(T).
from_list(List) -> lists:usort(List).

-spec is_element(term(), ordset(term())) -> boolean().
is_element(X, [Y | Rest]) when X > Y -> is_element(X, Rest);
is_element(X, [Y | _]) -> X == Y;
is_element(_, []) -> false.

-spec add_element(T, ordset(T)) -> ordset(T).
add_element(X, [Y | Rest]) when X > Y -> [Y | add_element(X, Rest)];
add_element(X, [Y | _] = Set) when X < Y -> [X | Set];
add_element(_, [_ | _] = Set) -> Set;
add_element(X, []) -> [X].

-spec del_element(term(), ordset(T)) -> ordset(T).
del_element(X, [Y | Rest]) when X > Y -> [Y | del_element(X, Rest)];
del_element(X, [Y | _] = Set) when X < Y -> Set;
del_element(_, [_ | Rest]) -> Rest;
del_element(_, []) -> [].

%% The lists change places after each step in the second, which shows in what is kept of 1 and 1.0.
-spec union(ordset(T), ordset(T)) -> ordset(T).
union([A | As], [B | _] = Bs) when A < B -> [A | union(As, Bs)];
union([A | _] = As, [B | Bs]) when A > B -> [B | union(Bs, As)];
union([A | As], [_ | Bs]) -> [A | union(As, Bs)];
union([], Bs) -> Bs;
union(As, []) -> As.

-spec union([ordset(T)]) -> ordset(T).
union(Sets) -> lists:umerge(Sets).

-spec intersection(ordset(T), ordset(T)) -> ordset(T).
intersection([A | As], [B | _] = Bs) when A < B -> intersection(As, Bs);
intersection([A | _] = As, [B | Bs]) when A > B -> intersection(Bs, As);
intersection([A | As], [_ | Bs]) -> [A | intersection(As, Bs)];
intersection([], _) -> [];
intersection(_, []) -> [].

-spec intersection([ordset(T), ...]) -> ordset(T).
intersection([Set]) -> Set;
intersection([A, B | Rest]) -> intersection([intersection(A, B) | Rest]).

-spec is_disjoint(ordset(term()), ordset(term())) -> boolean().
is_disjoint([A | As], [B | _] = Bs) when A < B -> is_disjoint(As, Bs);
is_disjoint([A | _] = As, [B | Bs]) when A > B -> is_disjoint(As, Bs);
is_disjoint([_ | _], [_ | _]) -> false;
is_disjoint([], _) -> true;
is_disjoint(_, []) -> true.

-spec subtract(ordset(T), ordset(term())) -> ordset(T).
subtract([A | As], [B | _] = Bs) when A < B -> [A | subtract(As, Bs)];
subtract([A | _] = As, [B | Bs]) when A > B -> subtract(As, Bs);
subtract([_ | As], [_ | Bs]) -> subtract(As, Bs);
subtract([], _) -> [];
subtract(As, []) -> As.

-spec is_subset(ordset(term()), ordset(term())) -> boolean().
is_subset([A | _], [B | _]) when A < B -> false;
is_subset([A | _] = As, [B | Bs]) when A > B -> is_subset(As, Bs);
is_subset([_ | As], [_ | Bs]) -> is_subset(As, Bs);
is_subset([], _) -> true;
is_subset(_, []) -> false.

-spec fold(fun((T, Acc) -> Acc), Acc, ordset(T)) -> Acc.
fold(F, Acc, Set) -> lists:foldl(F, Acc, Set).

-spec filter(fun((T) -> boolean()), ordset(T)) -> ordset(T).
filter(F, Set) -> lists:filter(F, Set).
