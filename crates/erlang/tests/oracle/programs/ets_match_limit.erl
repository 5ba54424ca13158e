%% match and select in portions.
-module(ets_match_limit).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{N, N * N} || N <- lists:seq(1, 7)]),
    p(portions(ets:match(T, {'$1', '$2'}, 3))),
    p(portions(ets:select(T, [{{'$1', '_'}, [{'>', '$1', 2}], ['$1']}], 2))),
    p(portions(ets:match_object(T, {'_', '_'}, 4))),
    p(ets:select(T, [{{'$1', '_'}, [{'>', '$1', 100}], ['$1']}], 2)),
    ets:delete(T).

portions('$end_of_table') -> [];
portions({Found, '$end_of_table'}) -> [Found];
portions({Found, C}) -> [Found | more(C)].

more(C) ->
    R = case element(1, {C}) of
            _ -> try ets:select(C) catch error:badarg -> ets:match(C) end
        end,
    portions(R).

p(X) -> io:format("~p~n", [X]).
