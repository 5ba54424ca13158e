%% Names, links, monitors and exit signals at once; only commutation is looked at.
-module(mix_lives).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive stop -> ok end end),
    Q = spawn(fun() -> process_flag(trap_exit, true), receive stop -> ok end, receive _ -> ok end end),
    All = [
        [fun() -> register(n, P) end, fun() -> P ! stop end, fun() -> unregister(n) end],
        [fun() -> link(P) end, fun() -> unlink(P) end, fun() -> whereis(n) end],
        [fun() -> R = monitor(process, P), Q ! stop, demonitor(R, [flush]) end,
         fun() -> exit(Q, bye) end],
        [fun() -> R = monitor(process, n), demonitor(R) end, fun() -> exit(P, normal) end,
         fun() -> is_process_alive(Q) end],
        [fun() -> register(k, self()) end, fun() -> n ! stop end, fun() -> process_info(Q, messages) end,
         fun() -> process_info(P, links) end],
        [fun() -> exit(P, kill) end, fun() -> exit(Q, kill) end, fun() -> processes() end],
        [fun() -> process_flag(trap_exit, true) end, fun() -> link(Q) end, fun() -> link(P) end,
         fun() -> receive {'EXIT', _, _} -> ok after 10 -> late end end],
        [fun() -> R = monitor(process, Q), receive {'DOWN', R, _, _, _} -> ok after 10 -> late end,
                  demonitor(R, [flush, info]) end,
         fun() -> group_leader(self(), P) end, fun() -> registered() end]
    ],
    [spawn(fun() -> [catch F() || F <- Fs] end) || Fs <- All],
    receive never -> ok end.
