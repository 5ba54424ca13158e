-module(alias_of_monitors).
-export([main/0]).

main() ->
    t(1, fun() -> begin P = spawn(fun() -> receive stop -> ok end end), M = monitor(process, P, [{alias, explicit_unalias}]), M ! one, M ! two, F = flush(), D = demonitor(M, [flush]), M ! three, G = flush(), exit(P, kill), {F, D, G} end end),
    t(2, fun() -> begin P = spawn(fun() -> receive stop -> ok end end), M = monitor(process, P, [{alias, demonitor}]), M ! one, M ! two, F = flush(), D = demonitor(M, [flush]), M ! three, G = flush(), exit(P, kill), {F, D, G} end end),
    t(3, fun() -> begin P = spawn(fun() -> receive stop -> ok end end), M = monitor(process, P, [{alias, reply_demonitor}]), M ! one, M ! two, F = flush(), D = demonitor(M, [flush]), M ! three, G = flush(), exit(P, kill), {F, D, G} end end),
    t(4, fun() -> begin P = spawn(fun() -> receive stop -> ok end end), M = monitor(process, P, [{alias, explicit_unalias}]), exit(P, kill), receive {'DOWN', M, process, P, W} -> ok end, M ! late, {W, flush()} end end),
    t(5, fun() -> begin P = spawn(fun() -> receive stop -> ok end end), M = monitor(process, P, [{alias, demonitor}]), exit(P, kill), receive {'DOWN', M, process, P, W} -> ok end, M ! late, {W, flush()} end end),
    t(6, fun() -> begin P = spawn(fun() -> receive stop -> ok end end), M = monitor(process, P, [{alias, reply_demonitor}]), exit(P, kill), receive {'DOWN', M, process, P, W} -> ok end, M ! late, {W, flush()} end end),
    t(7, fun() -> begin P = spawn(fun() -> receive stop -> ok end end), M = monitor(process, P, [{tag, here}]), exit(P, kill), receive {here, M, process, P, W} -> W end end end),
    t(8, fun() -> begin P = spawn(fun() -> receive stop -> ok end end), M = monitor(process, P, [{alias, demonitor}, {tag, here}]), U = unalias(M), M ! x, exit(P, kill), receive {here, M, process, P, W} -> {U, W, flush()} end end end),
    t(9, fun() -> monitor(process, self(), [{alias, wrong}]) end),
    t(10, fun() -> monitor(process, self(), [wrong]) end),
    t(11, fun() -> monitor(process, self(), wrong) end),
    t(12, fun() -> monitor(what, self()) end),
    t(13, fun() -> monitor(process, 5) end),
    t(14, fun() -> monitor(process, nobody_here_at_all) =/= none end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).


flush() -> receive M -> [M | flush()] after 0 -> [] end.
