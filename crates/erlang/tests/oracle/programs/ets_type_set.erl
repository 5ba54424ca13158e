-module(ets_type_set).
-export([main/0]).

main() ->
    t(1, fun() -> lists:sort(ets:tab2list(fill(new(set), [{1,a},{1,b},{1.0,c},{2,d},{1,a}]))) end),
    t(2, fun() -> ets:lookup(fill(new(set), [{1,a},{1.0,b}]), 1) end),
    t(3, fun() -> ets:lookup(fill(new(set), [{1,a},{1.0,b}]), 1.0) end),
    t(4, fun() -> ets:member(fill(new(set), [{1,a}]), 1.0) end),
    t(5, fun() -> ets:info(fill(new(set), [{1,a},{1,b},{2,c}]), size) end),
    t(6, fun() -> ets:insert_new(fill(new(set), [{1,a}]), {1,b}) end),
    t(7, fun() -> ets:insert_new(fill(new(set), [{1,a}]), [{2,b},{1,c}]) end),
    t(8, fun() -> begin T = fill(new(set), [{1,a},{1,b}]), ets:delete_object(T, {1,a}), lists:sort(ets:tab2list(T)) end end),
    t(9, fun() -> begin T = fill(new(set), [{1,a},{1,b},{2,c}]), {lists:sort(ets:take(T, 1)), ets:tab2list(T)} end end),
    t(10, fun() -> ets:lookup_element(fill(new(set), [{1,a,x}]), 1, 3) end),
    t(11, fun() -> ets:lookup_element(fill(new(set), [{1,a}]), 2, 2) end),
    t(12, fun() -> ets:lookup_element(fill(new(set), [{1,a}]), 1, 3) end),
    t(13, fun() -> ets:update_counter(fill(new(set), [{1,5}]), 1, 2) end),
    t(14, fun() -> ets:update_counter(fill(new(set), [{1,5}]), 2, 2, {2, 0}) end),
    t(15, fun() -> ets:update_element(fill(new(set), [{1,5}]), 1, {2, z}) end),
    t(16, fun() -> ets:first(new(set)) end),
    t(17, fun() -> ets:last(new(set)) end),
    t(18, fun() -> ets:next(fill(new(set), [{1,a}]), 1) end),
    t(19, fun() -> ets:prev(fill(new(set), [{1,a}]), 1) end),
    t(20, fun() -> ets:select_count(fill(new(set), [{1,a},{2,b},{3,c}]), [{{'$1','_'},[{'>','$1',1}],[true]}]) end),
    t(21, fun() -> ets:select_delete(fill(new(set), [{1,a},{2,b},{3,c}]), [{{'$1','_'},[{'>','$1',1}],[true]}]) end),
    t(22, fun() -> ets:match_delete(fill(new(set), [{1,a},{2,b}]), {'_', b}) end),
    t(23, fun() -> lists:sort(ets:match(fill(new(set), [{1,a},{2,b}]), {'$2', '$1'})) end),
    t(24, fun() -> lists:sort(ets:match_object(fill(new(set), [{1,a},{2,b}]), {'_', a})) end),
    t(25, fun() -> ets:info(new(set), type) end),
    t(26, fun() -> ets:insert(new(set), {}) end),
    t(27, fun() -> ets:insert(new(set), a) end),
    t(28, fun() -> ets:foldl(fun({_, V}, S) -> [V | S] end, [], fill(new(set), [{1,a}])) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

new(T) -> ets:new(t, [T, public]).
fill(T, L) -> ets:insert(T, L), T.
