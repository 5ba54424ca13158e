-module(errors_of_processes).
-export([main/0]).

main() ->
    t(1, fun() -> register(id(1), self()) end),
    t(2, fun() -> register(id(undefined), self()) end),
    t(3, fun() -> register(a_name, id(x)) end),
    t(4, fun() -> begin register(twice, self()), R = (catch register(twice, self())), unregister(twice), element(1, element(2, R)) end end),
    t(5, fun() -> unregister(id(nobody_at_all)) end),
    t(6, fun() -> whereis(id(1)) end),
    t(7, fun() -> id(nobody_at_all) ! x end),
    t(8, fun() -> id(1) ! x end),
    t(9, fun() -> id({nobody_at_all, node()}) ! x end),
    t(10, fun() -> link(id(a)) end),
    t(11, fun() -> unlink(id(a)) end),
    t(12, fun() -> exit(id(a), x) end),
    t(13, fun() -> demonitor(id(a)) end),
    t(14, fun() -> demonitor(make_ref(), [wrong]) end),
    t(15, fun() -> process_flag(id(wrong), true) end),
    t(16, fun() -> process_flag(trap_exit, id(x)) end),
    t(17, fun() -> process_flag(priority, id(x)) end),
    t(18, fun() -> is_process_alive(id(a)) end),
    t(19, fun() -> group_leader(id(a), self()) end),
    t(20, fun() -> erlang:send_after(id(-1), self(), x) end),
    t(21, fun() -> erlang:send_after(id(a), self(), x) end),
    t(22, fun() -> erlang:start_timer(1, id(1), x) end),
    t(23, fun() -> erlang:cancel_timer(id(a)) end),
    t(24, fun() -> erlang:cancel_timer(make_ref()) end),
    t(25, fun() -> erlang:read_timer(make_ref()) end),
    t(26, fun() -> erlang:send(id(a_b_c), x) end),
    t(27, fun() -> erlang:send(self(), x, [wrong]) end),
    t(28, fun() -> receive after id(a) -> ok end end),
    t(29, fun() -> receive after id(-1) -> ok end end),
    t(30, fun() -> error(id({a, b})) end),
    t(31, fun() -> throw(id(x)) end),
    t(32, fun() -> exit(id(x)) end),
    t(33, fun() -> erlang:raise(error, id(x), []) end),
    t(34, fun() -> erlang:raise(wrong, id(x), []) end),
    t(35, fun() -> apply(id(a), b) end),
    t(36, fun() -> apply(fun() -> ok end, id(x)) end),
    t(37, fun() -> get(id(no)) end),
    t(38, fun() -> put(id(k), v) end),
    t(39, fun() -> erase(id(k)) end),
    t(40, fun() -> erlang:hibernate(1, 2, 3) end),
    t(41, fun() -> spawn_monitor(id(x)) end),
    t(42, fun() -> processes() =:= x end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

id(X) -> X.
