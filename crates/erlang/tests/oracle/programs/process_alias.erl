%% alias/0 and unalias/1.
-module(process_alias).
-export([main/0]).

main() ->
    A = alias(),
    A ! one,
    receive X -> p(X) end,
    p(unalias(A)),
    p(unalias(A)),
    A ! two,
    receive Y -> p(Y) after 10 -> p(nothing) end,
    B = alias([reply]),
    B ! three,
    B ! four,
    receive Z -> p(Z) end,
    receive W -> p(W) after 10 -> p(nothing) end.

p(X) -> io:format("~p~n", [X]).
