%% first, next, safe_fixtable while objects are deleted.
-module(ets_traversal).
-export([main/0]).

main() ->
    T = ets:new(t, [set, public]),
    ets:insert(T, [{N} || N <- lists:seq(1, 20)]),
    p(ets:safe_fixtable(T, true)),
    p(length(delete_even(T, ets:first(T), []))),
    ets:safe_fixtable(T, false),
    p(ets:info(T, size)),
    p(lists:sort([K || {K} <- ets:tab2list(T)])),
    p(lists:sort(ets:foldl(fun({K}, A) -> [K | A] end, [], T))),
    p(ets:first(ets:new(empty, []))).

delete_even(_, '$end_of_table', Seen) -> Seen;
delete_even(T, K, Seen) ->
    Next = ets:next(T, K),
    if K rem 2 =:= 0 -> ets:delete(T, K); true -> ok end,
    delete_even(T, Next, [K | Seen]).

p(X) -> io:format("~p~n", [X]).
