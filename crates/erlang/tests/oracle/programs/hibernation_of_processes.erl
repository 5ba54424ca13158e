-module(hibernation_of_processes).
-export([main/0]).
-export([sleeper/1, woken/1, fails/0, tells/1, answer/0]).

main() ->
    t(1, fun() -> begin P = spawn(fun() -> wait(self()) end), M = monitor(process, P), P ! {from, self()}, R = receive {P, X} -> X after 1000 -> none end, receive {_, M, _, _, Y} -> {R, Y} end end end),
    t(2, fun() -> begin P = spawn(?MODULE, sleeper, [self()]), P ! wake, receive {P, V} -> V after 1000 -> none end end end),
    t(3, fun() -> begin P = spawn(fun() -> erlang:hibernate(erlang, exit, [done]) end), M = monitor(process, P), P ! go, receive {_, M, _, _, R} -> R end end end),
    t(4, fun() -> begin P = spawn(fun() -> try erlang:hibernate(?MODULE, fails, []) catch _:_ -> caught end end), M = monitor(process, P), P ! go, receive {_, M, _, _, {R, _}} -> R; {_, M, _, _, R} -> R end end end),
    t(5, fun() -> begin self() ! x, P = spawn(fun() -> receive start -> ok end, put(k, v), erlang:hibernate(?MODULE, tells, [self()]) end), P ! start, register(teller, self()), P ! go, R = receive {told, D} -> D after 1000 -> none end, unregister(teller), receive x -> ok end, R end end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

sleeper(To) -> erlang:hibernate(?MODULE, woken, [To]).
woken(To) -> receive wake -> To ! {self(), awake} end.
fails() -> error(failed).
tells(_) -> receive go -> teller ! {told, get(k)} end.
wait(_) -> erlang:hibernate(?MODULE, answer, []).
answer() -> receive {from, P} -> P ! {self(), hello} end.
