%% demonitor with and without flush and info.
-module(demonitor_options).
-export([main/0]).

main() ->
    Live = spawn(fun() -> receive stop -> ok end end),
    M1 = monitor(process, Live),
    p(demonitor(M1)),
    M2 = monitor(process, Live),
    p(demonitor(M2, [info])),
    p(demonitor(M2, [info])),
    M3 = monitor(process, Live),
    p(demonitor(M3, [flush, info])),
    M4 = monitor(process, Live),
    Other = monitor(process, Live),
    Live ! stop,
    receive {'DOWN', Other, _, _, _} -> ok end,
    p(demonitor(M4, [flush])),
    receive {'DOWN', M4, _, _, _} -> p(unexpected) after 0 -> p(flushed) end,
    p(try demonitor(make_ref(), [ban]) catch C:R -> {C, R} end).

p(X) -> io:format("~p~n", [X]).
