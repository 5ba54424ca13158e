%% match, match_object, match_delete with patterns.
-module(ets_match).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, a, x}, {2, b, x}, {3, a, y}, {4, {n, 1}, z}]),
    p(ets:match(T, {'$1', a, '$2'})),
    p(ets:match(T, {'$2', '_', '$1'})),
    p(ets:match_object(T, {'_', '_', x})),
    p(ets:match(T, {'$1', {n, '$2'}, '_'})),
    p(ets:match(T, '$1')),
    p(ets:match(T, {'_', nothing, '_'})),
    p(ets:match_delete(T, {'_', a, '_'})),
    p(ets:tab2list(T)),
    p(ets:match_object(T, '_')),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
