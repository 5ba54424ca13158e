%% A normal exit does not end linked processes.
-module(link_normal).
-export([main/0]).

main() ->
    Self = self(),
    A = spawn(fun() ->
                      B = spawn_link(fun() -> receive go -> ok end end),
                      M = monitor(process, B),
                      B ! go,
                      receive {'DOWN', M, _, _, R} -> Self ! {survived, R} end
              end),
    M = monitor(process, A),
    receive {survived, R} -> p({survived, R}) end,
    receive {'DOWN', M, _, _, R2} -> p(R2) end.

p(X) -> io:format("~p~n", [X]).
