%% A table changes hands.
-module(ets_give_away).
-export([main/0]).

main() ->
    Self = self(),
    Pid = spawn(fun() ->
                        receive {'ETS-TRANSFER', T, From, Data} -> ets:insert(T, {by, receiver}), Self ! {From =:= Self, Data, ets:info(T, owner) =:= self()} end,
                        receive stop -> ets:delete(T) end,
                        Self ! gone
                end),
    T = ets:new(t, [protected]),
    p(ets:give_away(T, Pid, present)),
    receive M -> p(M) end,
    p(ets:lookup(T, by)),
    p(try ets:insert(T, {by, me}) catch error:E -> E end),
    p(ets:setopts(ets:new(x, []), {heir, none})),
    Pid ! stop,
    receive gone -> p(ets:info(T)) end.

p(X) -> io:format("~p~n", [X]).
