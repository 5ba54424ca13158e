%% A token goes round a ring of processes three times.
-module(ring).
-export([main/0]).

main() ->
    Self = self(),
    First = lists:foldl(fun(_, Next) -> spawn(fun() -> node_loop(Next) end) end, Self, lists:seq(1, 50)),
    First ! {token, 0},
    turn(First, 3).

turn(First, 0) -> First ! stop, receive stop -> p(stopped) end;
turn(First, Turns) ->
    receive
        {token, N} -> p({token, N}), First ! {token, N}
    end,
    case Turns of
        1 -> receive {token, M} -> p({last, M}) end, turn(First, 0);
        _ -> turn(First, Turns - 1)
    end.

node_loop(Next) ->
    receive
        {token, N} -> Next ! {token, N + 1}, node_loop(Next);
        stop -> Next ! stop
    end.

p(X) -> io:format("~p~n", [X]).
