%% A child prints through the group leader it was given.
-module(group_leader_change).
-export([main/0]).

main() ->
    Self = self(),
    Collector = spawn(fun() -> collect(Self) end),
    Child = spawn(fun() -> receive go -> io:format("from child~n"), Self ! done end end),
    p(group_leader(Collector, Child)),
    Child ! go,
    receive done -> ok end,
    receive {printed, What} -> p(What) end,
    p(group_leader() =:= Collector).

collect(To) ->
    receive
        {io_request, From, As, Request} ->
            From ! {io_reply, As, ok},
            To ! {printed, element(1, Request)}
    end.

p(X) -> io:format("~p~n", [X]).
