%% Double-ended queues: {Rear, Front}, where Rear is newest first and Front oldest first.
%% Invariant: with two or more elements neither side is empty, so both ends are one step away. A
%% side that runs out takes half of the other.
-module(queue).

-export([new/0, is_queue/1, is_empty/1, len/1, to_list/1, from_list/1, member/2, in/2, in_r/2,
         out/1, out_r/1, get/1, get_r/1, peek/1, peek_r/1, drop/1, drop_r/1, reverse/1, join/2,
         split/2, filter/2, filtermap/2, fold/3, any/2, all/2, delete/2, delete_r/2,
         delete_with/2, delete_with_r/2]).
-export([cons/2, head/1, tail/1, snoc/2, last/1, daeh/1, init/1, liat/1, lait/1]).
-export_type([queue/0, queue/1]).
-compile({no_auto_import, [get/1]}).

-opaque queue(T) :: {[T], [T]}.
-type queue() :: queue(term()).


-spec new() -> queue().
new() -> {[], []}.

-spec is_queue(term()) -> boolean().
is_queue({Rear, Front}) -> is_list(Rear) andalso is_list(Front);
is_queue(_) -> false.

-spec is_empty(queue()) -> boolean().
is_empty({[], []}) -> true;
is_empty({Rear, Front}) when is_list(Rear), is_list(Front) -> false;
is_empty(_) -> erlang:error(badarg).

-spec len(queue()) -> non_neg_integer().
len({Rear, Front}) when is_list(Rear), is_list(Front) -> length(Rear) + length(Front);
len(_) -> erlang:error(badarg).

-spec to_list(queue(T)) -> [T].
to_list({Rear, Front}) when is_list(Rear), is_list(Front) -> Front ++ lists:reverse(Rear, []);
to_list(_) -> erlang:error(badarg).

-spec from_list([T]) -> queue(T).
from_list(List) when is_list(List) -> refill_rear(List);
from_list(_) -> erlang:error(badarg).

%% Queues of one side only. The side that was empty gets the odd element.
refill_front(Rear) ->
    {Newest, Oldest} = lists:split(length(Rear) div 2, Rear),
    {Newest, lists:reverse(Oldest)}.

refill_rear(Front) -> reverse(refill_front(Front)).

-spec member(term(), queue()) -> boolean().
member(X, {Rear, Front}) when is_list(Rear), is_list(Front) ->
    lists:member(X, Rear) orelse lists:member(X, Front);
member(_, _) -> erlang:error(badarg).

-spec in(T, queue(T)) -> queue(T).
in(X, {[_] = Rear, []}) -> {[X], Rear};
in(X, {Rear, Front}) when is_list(Rear), is_list(Front) -> {[X | Rear], Front};
in(_, _) -> erlang:error(badarg).

-spec in_r(T, queue(T)) -> queue(T).
in_r(X, {[], [_] = Front}) -> {Front, [X]};
in_r(X, {Rear, Front}) when is_list(Rear), is_list(Front) -> {Rear, [X | Front]};
in_r(_, _) -> erlang:error(badarg).

-spec out(queue(T)) -> {{value, T} | empty, queue(T)}.
out({[], []} = Empty) -> {empty, Empty};
out({[X], []}) -> {{value, X}, {[], []}};
out({[Newest | Rear], []}) ->
    [X | Front] = lists:reverse(Rear, []),
    {{value, X}, {[Newest], Front}};
out({Rear, [X]}) when is_list(Rear) -> {{value, X}, refill_front(Rear)};
out({Rear, [X | Front]}) when is_list(Rear) -> {{value, X}, {Rear, Front}};
out(_) -> erlang:error(badarg).

-spec out_r(queue(T)) -> {{value, T} | empty, queue(T)}.
out_r({Rear, Front}) when is_list(Rear), is_list(Front) ->
    {Result, Mirror} = out({Front, Rear}),
    {Result, reverse(Mirror)};
out_r(_) -> erlang:error(badarg).

-spec get(queue(T)) -> T.
get(Queue) ->
    case peek(Queue) of
        {value, X} -> X;
        empty -> erlang:error(empty)
    end.

-spec get_r(queue(T)) -> T.
get_r(Queue) ->
    case peek_r(Queue) of
        {value, X} -> X;
        empty -> erlang:error(empty)
    end.

-spec peek(queue(T)) -> empty | {value, T}.
peek({[], []}) -> empty;
peek({Rear, [X | _]}) when is_list(Rear) -> {value, X};
peek({[_ | _] = Rear, []}) -> {value, lists:last(Rear)};
peek(_) -> erlang:error(badarg).

-spec peek_r(queue(T)) -> empty | {value, T}.
peek_r({Rear, Front}) when is_list(Rear), is_list(Front) -> peek({Front, Rear});
peek_r(_) -> erlang:error(badarg).

-spec drop(queue(T)) -> queue(T).
drop(Queue) ->
    case out(Queue) of
        {{value, _}, Rest} -> Rest;
        {empty, _} -> erlang:error(empty)
    end.

-spec drop_r(queue(T)) -> queue(T).
drop_r(Queue) ->
    case out_r(Queue) of
        {{value, _}, Rest} -> Rest;
        {empty, _} -> erlang:error(empty)
    end.

-spec reverse(queue(T)) -> queue(T).
reverse({Rear, Front}) when is_list(Rear), is_list(Front) -> {Front, Rear};
reverse(_) -> erlang:error(badarg).

-spec join(queue(T), queue(T)) -> queue(T).
join({Rear, Front} = A, {[], []}) when is_list(Rear), is_list(Front) -> A;
join({[], []}, {Rear, Front} = B) when is_list(Rear), is_list(Front) -> B;
join({RearA, FrontA}, {RearB, FrontB})
  when is_list(RearA), is_list(FrontA), is_list(RearB), is_list(FrontB) ->
    {RearB, FrontA ++ lists:reverse(RearA, FrontB)};
join(_, _) -> erlang:error(badarg).

-spec split(non_neg_integer(), queue(T)) -> {queue(T), queue(T)}.
split(N, {Rear, Front} = Queue) when is_integer(N), N >= 0, is_list(Rear), is_list(Front) ->
    case len(Queue) of
        Length when N > Length -> erlang:error(badarg);
        Length -> split(N, Length - N, Queue)
    end;
split(_, _) -> erlang:error(badarg).

%% Only the side that is cut is rebuilt.
split(0, _, Queue) -> {new(), Queue};
split(1, 0, {[], [X]}) -> {{[X], []}, new()};
split(_, 0, Queue) -> {Queue, new()};
split(N, M, {Rear, Front}) ->
    case length(Front) of
        Length when N < Length ->
            {First, Second} = lists:split(N, Front),
            {one_or_more(First), filled(Rear, Second)};
        _ ->
            {[Newest | Older] = Second, First} = lists:split(M, Rear),
            case First of
                [] -> {filled([], Front), refill_front(Second)};
                _ -> {{First, Front}, {[Newest], lists:reverse(Older)}}
            end
    end.

one_or_more([_] = Front) -> {[], Front};
one_or_more([Oldest | Rest]) -> {lists:reverse(Rest), [Oldest]}.

filled(Rear, []) -> refill_front(Rear);
filled([], Front) -> refill_rear(Front);
filled(Rear, Front) -> {Rear, Front}.

%% The fun may give a list to put in place of an element.
-spec filter(fun((T) -> boolean() | [T]), queue(T)) -> queue(T).
filter(F, {Rear, Front}) when is_function(F, 1), is_list(Rear), is_list(Front) ->
    Kept = lists:flatmap(fun(X) -> keep(F(X), X) end, Front),
    filled(lists:reverse(lists:flatmap(fun(X) -> keep(F(X), X) end, lists:reverse(Rear))), Kept);
filter(_, _) -> erlang:error(badarg).

keep(true, X) -> [X];
keep(false, _) -> [];
keep(List, _) when is_list(List) -> List.

-spec filtermap(fun((A) -> boolean() | {true, B}), queue(A)) -> queue(A | B).
filtermap(F, {Rear, Front}) when is_function(F, 1), is_list(Rear), is_list(Front) ->
    Kept = lists:filtermap(F, Front),
    filled(lists:reverse(lists:filtermap(F, lists:reverse(Rear))), Kept);
filtermap(_, _) -> erlang:error(badarg).

-spec fold(fun((T, Acc) -> Acc), Acc, queue(T)) -> Acc.
fold(F, Acc, {Rear, Front}) when is_function(F, 2), is_list(Rear), is_list(Front) ->
    lists:foldr(F, lists:foldl(F, Acc, Front), Rear);
fold(_, _, _) -> erlang:error(badarg).

-spec any(fun((T) -> boolean()), queue(T)) -> boolean().
any(F, {Rear, Front}) when is_function(F, 1), is_list(Rear), is_list(Front) ->
    lists:any(F, Front) orelse lists:any(F, Rear);
any(_, _) -> erlang:error(badarg).

-spec all(fun((T) -> boolean()), queue(T)) -> boolean().
all(F, {Rear, Front}) when is_function(F, 1), is_list(Rear), is_list(Front) ->
    lists:all(F, Front) andalso lists:all(F, Rear);
all(_, _) -> erlang:error(badarg).

-spec delete(T, queue(T)) -> queue(T).
delete(X, Queue) -> delete_with(fun(Y) -> Y =:= X end, Queue).

-spec delete_r(T, queue(T)) -> queue(T).
delete_r(X, Queue) -> delete_with_r(fun(Y) -> Y =:= X end, Queue).

-spec delete_with(fun((T) -> boolean()), queue(T)) -> queue(T).
delete_with(F, {Rear, Front} = Queue) when is_function(F, 1), is_list(Rear), is_list(Front) ->
    case delete_first(F, Front, []) of
        false ->
            case delete_first(F, lists:reverse(Rear), []) of
                false -> Queue;
                [] -> refill_rear(Front);
                Rest -> {lists:reverse(Rest), Front}
            end;
        [] -> refill_front(Rear);
        Rest -> {Rear, Rest}
    end;
delete_with(_, _) -> erlang:error(badarg).

delete_first(F, [X | Rest], Before) ->
    case F(X) of
        true -> lists:reverse(Before, Rest);
        false -> delete_first(F, Rest, [X | Before])
    end;
delete_first(_, [], _) -> false.

-spec delete_with_r(fun((T) -> boolean()), queue(T)) -> queue(T).
delete_with_r(F, Queue) -> reverse(delete_with(F, reverse(Queue))).

%%% The names of Okasaki's deques.

cons(X, Queue) -> in_r(X, Queue).
head(Queue) -> get(Queue).
tail(Queue) -> drop(Queue).
snoc(Queue, X) -> in(X, Queue).
last(Queue) -> get_r(Queue).
daeh(Queue) -> get_r(Queue).
init(Queue) -> drop_r(Queue).
liat(Queue) -> drop_r(Queue).
lait(Queue) -> drop_r(Queue).
