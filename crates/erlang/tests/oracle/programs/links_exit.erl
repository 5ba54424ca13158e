%% An exit signal ends linked processes that do not trap exits.
-module(links_exit).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Self = self(),
    A = spawn_link(fun() ->
                           B = spawn_link(fun() -> receive never -> ok end end),
                           Self ! {child, B},
                           receive die -> exit(boom) end
                   end),
    B = receive {child, C} -> C end,
    M = monitor(process, B),
    A ! die,
    receive {'EXIT', A, R1} -> p({a, R1}) end,
    receive {'DOWN', M, process, B, R2} -> p({b, R2}) end.

p(X) -> io:format("~p~n", [X]).
