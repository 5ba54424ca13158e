%% to and from lists, tables into tables, slots and errors.
-module(ets_conversions).
-export([main/0]).

main() ->
    T = ets:new(t, [ordered_set]),
    ets:insert(T, [{a, 1}, {b, 2}]),
    U = ets:new(u, [ordered_set]),
    p(ets:insert(U, ets:tab2list(T))),
    p(ets:tab2list(U)),
    p(ets:insert(T, {c})),
    p(ets:lookup(T, c)),
    p(ets:is_compiled_ms(ets:match_spec_compile([{{'$1', '_'}, [], ['$1']}]))),
    p(ets:match_spec_run([{a, 1}, {b, 2}, c], ets:match_spec_compile([{{'$1', '_'}, [], ['$1']}]))),
    [p(try F() catch error:E -> E end) || F <- [fun() -> ets:new("name", []) end, fun() -> ets:new(t, [bad]) end,
        fun() -> ets:insert(T, not_a_tuple) end, fun() -> ets:insert(T, {}) end, fun() -> ets:next(T, nokey) end,
        fun() -> ets:delete(nosuch) end]],
    p(ets:next(T, aa)),
    ets:delete(T), ets:delete(U).

p(X) -> io:format("~p~n", [X]).
