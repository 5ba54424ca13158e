-module(ets_walks).
-export([main/0]).

main() ->
    t(1, fun() -> begin T = fill(new(ordered_set), [{N} || N <- lists:seq(1, 7)]), {A, C} = ets:select(T, [{{'$1'},[],['$1']}], 3), {B, D} = ets:select(C), {E, F} = ets:select(D), {A, B, E, case F of '$end_of_table' -> F; _ -> ets:select(F) end} end end),
    t(2, fun() -> begin T = fill(new(ordered_set), [{N} || N <- [1,2,3]]), {A, C} = ets:select_reverse(T, [{{'$1'},[],['$1']}], 2), {A, ets:select_reverse(C)} end end),
    t(3, fun() -> begin T = fill(new(ordered_set), [{N} || N <- [1,2,3]]), {ets:first(T), ets:next(T, 1), ets:next(T, 2.5), ets:prev(T, 1), ets:last(T)} end end),
    t(4, fun() -> ets:match(fill(new(ordered_set), [{1},{2}]), {'$1'}, 1) =/= x end),
    t(5, fun() -> ets:select(new(set), [{{'$1'},[],['$1']}], 3) end),
    t(6, fun() -> ets:match_object(new(set), '_', 2) end),
    t(7, fun() -> ets:foldr(fun({X}, S) -> [X | S] end, [], fill(new(ordered_set), [{1},{2}])) end),
    t(8, fun() -> ets:tab2list(fill(new(ordered_set), [{b},{a},{1},{1.0},{[]},{{}},{"x"}])) end),
    t(9, fun() -> ets:next(fill(new(set), [{1}]), 2) end),
    t(10, fun() -> ok end),
    t(11, fun() -> begin T = new(set), ets:delete(T), ets:lookup(T, 1) end end),
    t(12, fun() -> ets:whereis(nobody_here) end),
    t(13, fun() -> begin ets:new(named_one, [named_table]), R = ets:rename(named_one, named_two), {R, ets:info(named_one), ets:info(named_two, name)} end end),
    t(14, fun() -> ets:new(x, [wrong]) end),
    t(15, fun() -> ets:new(1, []) end),
    t(16, fun() -> ets:new(x, [{keypos, 0}]) end),
    t(17, fun() -> ets:insert(ets:new(x, [{keypos, 2}]), {a}) end),
    t(18, fun() -> begin T = ets:new(x, [{keypos, 2}]), ets:insert(T, {a, b}), ets:lookup(T, b) end end),
    t(19, fun() -> ets:info(ets:new(x, [{keypos, 3}, private, compressed]), protection) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

new(T) -> ets:new(t, [T, public]).
fill(T, L) -> ets:insert(T, L), T.
