%% Signals from one process to another keep their order, of whatever kind.
-module(signal_order).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Self = self(),
    spawn_link(fun() -> Self ! 1, Self ! 2, exit(Self, three), Self ! 4, exit(five) end),
    p([receive {'EXIT', _, R} -> {exit, R}; X -> X end || _ <- lists:seq(1, 5)]).

p(X) -> io:format("~p~n", [X]).
