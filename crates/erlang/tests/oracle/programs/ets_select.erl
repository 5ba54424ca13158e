%% Match specifications: guards, bodies, several clauses.
-module(ets_select).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, a, 10}, {2, b, 20}, {3, c, 30}, {4, a, 40}]),
    p(ets:select(T, [{{'$1', a, '$2'}, [], [{{'$1', '$2'}}]}])),
    p(ets:select(T, [{{'$1', '_', '$2'}, [{'>', '$2', 15}, {'<', '$1', 4}], ['$$']}])),
    p(ets:select(T, [{{'_', b, '_'}, [], ['$_']}, {{'_', c, '_'}, [], [found_c]}])),
    p(ets:select(T, [{{'$1', '$2', '$3'}, [{'orelse', {'=:=', '$2', b}, {'==', '$3', 40.0}}], [{'+', '$1', '$3'}]}])),
    p(ets:select(T, [{{'$1', '_', '_'}, [{'not', {'=:=', {'rem', '$1', 2}, 0}}], [['$1', {const, '$1'}]]}])),
    p(ets:select(T, [{{'$1', '$2', '_'}, [{is_atom, '$2'}, {'andalso', true, {'>=', '$1', 3}}], [{element, 2, '$_'}]}])),
    p(ets:select_count(T, [{{'_', a, '_'}, [], [true]}])),
    p(ets:select_delete(T, [{{'_', a, '_'}, [], [true]}])),
    p(ets:tab2list(T)),
    p(ets:select_replace(T, [{{'$1', b, '$2'}, [], [{{'$1', b, {'*', '$2', 2}}}]}])),
    p(ets:tab2list(T)),
    p(ets:select_reverse(T, [{{'$1', '_', '_'}, [], ['$1']}])),
    p(try ets:select(T, [bad]) catch error:E -> E end),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
