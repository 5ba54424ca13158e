-module(spawn_options).
-export([main/0]).

main() ->
    t(1, fun() -> is_pid(spawn_opt(fun() -> ok end, [{priority, low}])) end),
    t(2, fun() -> is_pid(spawn_opt(fun() -> ok end, [{priority, max}])) end),
    t(3, fun() -> is_pid(spawn_opt(fun() -> ok end, [{priority, wrong}])) end),
    t(4, fun() -> is_pid(spawn_opt(fun() -> ok end, [{min_heap_size, 100}])) end),
    t(5, fun() -> is_pid(spawn_opt(fun() -> ok end, [{min_heap_size, -1}])) end),
    t(6, fun() -> is_pid(spawn_opt(fun() -> ok end, [{fullsweep_after, 0}])) end),
    t(7, fun() -> is_pid(spawn_opt(fun() -> ok end, [{max_heap_size, 0}])) end),
    t(8, fun() -> is_pid(spawn_opt(fun() -> ok end, [{max_heap_size, #{size => 100000, kill => true}}])) end),
    t(9, fun() -> is_pid(spawn_opt(fun() -> ok end, [{message_queue_data, off_heap}])) end),
    t(10, fun() -> is_pid(spawn_opt(fun() -> ok end, [{message_queue_data, wrong}])) end),
    t(11, fun() -> is_pid(spawn_opt(fun() -> ok end, [wrong])) end),
    t(12, fun() -> is_pid(spawn_opt(fun() -> ok end, [{scheduler, 1}])) end),
    t(13, fun() -> is_pid(spawn_opt(fun() -> ok end, [{min_bin_vheap_size, 10}])) end),
    t(14, fun() -> begin {P, M} = spawn_opt(fun() -> exit(x) end, [monitor]), receive {'DOWN', M, process, P, R} -> R end end end),
    t(15, fun() -> begin {P, M} = spawn_opt(fun() -> exit(x) end, [{monitor, [{tag, down}]}]), receive {down, M, process, P, R} -> R end end end),
    t(16, fun() -> begin process_flag(trap_exit, true), P = spawn_opt(fun() -> exit(x) end, [link]), R = receive {'EXIT', P, W} -> W end, process_flag(trap_exit, false), R end end),
    t(17, fun() -> spawn_opt(x, []) end),
    t(18, fun() -> spawn_opt(fun() -> ok end, wrong) end),
    t(19, fun() -> spawn(lists, map, x) end),
    t(20, fun() -> spawn(1, f, []) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

