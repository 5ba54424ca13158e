%% Every kind of access to tables at once; only commutation is looked at.
-module(mix_tables).
-export([main/0]).

main() ->
    ets:new(t, [named_table, public]),
    ets:new(b, [named_table, public, bag]),
    ets:new(o, [named_table, public, ordered_set]),
    ets:insert(t, [{a, 1}, {b, 2}, {c, 3}]),
    All = [
        [fun() -> ets:insert(t, {a, 1}) end, fun() -> ets:insert(t, {a, 2}) end,
         fun() -> ets:insert_new(t, {d, 1}) end, fun() -> ets:insert(t, [{e, 1}, {f, 2}]) end],
        [fun() -> ets:lookup(t, a) end, fun() -> ets:insert_new(t, {d, 2}) end,
         fun() -> ets:insert(t, {a, 1}) end, fun() -> ets:match(t, {'$1', 2}) end],
        [fun() -> ets:match_delete(t, {'_', 3}) end, fun() -> ets:update_counter(t, b, 1) end,
         fun() -> ets:select(t, [{{'$1', '$2'}, [{'>', '$2', 1}], ['$1']}]) end,
         fun() -> ets:take(t, c) end],
        [fun() -> ets:delete_object(t, {b, 2}) end, fun() -> ets:tab2list(t) end,
         fun() -> ets:delete(t, e) end, fun() -> ets:info(t, size) end],
        [fun() -> ets:insert(b, {k, 1}) end, fun() -> ets:insert(b, {k, 2}) end,
         fun() -> ets:lookup(b, k) end, fun() -> ets:rename(o, p) end],
        [fun() -> ets:insert(b, {k, 1}) end, fun() -> ets:insert(o, {1, x}) end,
         fun() -> ets:insert(o, {1.0, y}) end, fun() -> ets:delete_all_objects(b) end],
        [fun() -> ets:insert(o, {1, x}) end, fun() -> ets:lookup(o, 1.0) end,
         fun() -> ets:update_element(t, a, {2, 9}) end, fun() -> ets:delete(t) end]
    ],
    [spawn(fun() -> [catch F() || F <- Fs] end) || Fs <- All],
    receive never -> ok end.
