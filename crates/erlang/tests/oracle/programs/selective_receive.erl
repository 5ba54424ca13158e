%% Messages that do not match stay, in order.
-module(selective_receive).
-export([main/0]).

main() ->
    [self() ! M || M <- [a, {b, 1}, c, {b, 2}, d]],
    receive {b, X} -> p({b, X}) end,
    receive d -> p(d) end,
    receive M1 -> p(M1) end,
    receive {b, Y} -> p({b, Y}) end,
    receive M2 -> p(M2) end,
    receive M3 -> p(M3) after 0 -> p(empty) end.

p(X) -> io:format("~p~n", [X]).
