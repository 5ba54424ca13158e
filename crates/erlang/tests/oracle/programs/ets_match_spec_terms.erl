%% What bodies of match specifications can build.
-module(ets_match_spec_terms).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{1, #{k => v}, [x, y]}, {2, "str", {t, u}}]),
    S = fun(Guards, Body) -> ets:select(T, [{{'$1', '$2', '$3'}, Guards, [Body]}]) end,
    p(S([], {{a, '$1'}})), p(S([], ['$1', '$3'])), p(S([{is_map, '$2'}], {map_get, k, '$2'})),
    p(S([{is_list, '$3'}], {hd, '$3'})), p(S([{is_list, '$3'}], {length, '$3'})),
    p(S([{is_tuple, '$3'}], {size, '$3'})), p(S([], {'-', 10, '$1'})), p(S([], {const, {raw, tuple}})),
    p(S([{'xor', true, {'=:=', '$1', 1}}], '$1')), p(S([{'and', true, {'<', '$1', 2}}], '$1')),
    p(S([{'=/=', {hd, '$3'}, x}], '$1')),
    p(ets:test_ms({1, 2}, [{{'$1', '$2'}, [], [{'+', '$1', '$2'}]}])),
    ets:delete(T).

p(X) -> io:format("~p~n", [X]).
