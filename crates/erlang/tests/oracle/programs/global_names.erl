%% Global names on one node.
-module(global_names).
-export([main/0]).

main() ->
    P = spawn(fun() -> receive {From, X} -> From ! {got, X} end end),
    p(global:register_name(everywhere, P)),
    p(global:whereis_name(everywhere) =:= P),
    p(global:send(everywhere, {self(), 1}) =:= P),
    receive M -> p(M) end,
    p(global:unregister_name(everywhere)),
    p(global:whereis_name(everywhere)),
    p(global:whereis_name(nobody)).

p(X) -> io:format("~p~n", [X]).
