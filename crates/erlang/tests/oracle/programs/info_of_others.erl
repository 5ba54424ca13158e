-module(info_of_others).
-export([main/0]).

main() ->
    t(1, fun() -> begin P = spawn(fun() -> receive x -> ok end end), R = process_info(P, message_queue_len), exit(P, kill), R end end),
    t(2, fun() -> begin P = spawn(fun() -> receive x -> ok end end), R = process_info(P, links), exit(P, kill), R end end),
    t(3, fun() -> begin P = spawn(fun() -> receive x -> ok end end), R = process_info(P, trap_exit), exit(P, kill), R end end),
    t(4, fun() -> begin P = spawn(fun() -> receive x -> ok end end), R = process_info(P, priority), exit(P, kill), R end end),
    t(5, fun() -> begin P = spawn(fun() -> receive x -> ok end end), R = process_info(P, registered_name), exit(P, kill), R end end),
    t(6, fun() -> begin {P, M} = spawn_monitor(fun() -> ok end), receive {_, M, _, _, _} -> ok end, process_info(P) end end),
    t(7, fun() -> begin {P, M} = spawn_monitor(fun() -> ok end), receive {_, M, _, _, _} -> ok end, process_info(P, links) end end),
    t(8, fun() -> begin P = spawn_link(fun() -> receive x -> ok end end), R = process_info(P, links) =:= {links, [self()]}, unlink(P), exit(P, kill), R end end),
    t(9, fun() -> begin P = spawn_opt(fun() -> receive x -> ok end end, [{priority, high}]), R = process_info(P, priority), exit(P, kill), R end end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

