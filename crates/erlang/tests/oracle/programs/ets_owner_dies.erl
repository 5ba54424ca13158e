%% A table goes with its owner, unless it has an heir.
-module(ets_owner_dies).
-export([main/0]).

main() ->
    Self = self(),
    {P1, M1} = spawn_monitor(fun() -> Self ! {table, ets:new(t, [public])}, receive stop -> ok end end),
    T1 = receive {table, A} -> A end,
    p(ets:insert(T1, {a, 1})), p(ets:info(T1, owner) =:= P1),
    P1 ! stop,
    receive {'DOWN', M1, _, _, _} -> ok end,
    p(ets:info(T1)),
    p(try ets:lookup(T1, a) catch error:E -> E end),
    {P2, M2} = spawn_monitor(fun() ->
                                     T = ets:new(t, [{heir, Self, gift}]),
                                     ets:insert(T, {kept, 1}),
                                     receive stop -> ok end
                             end),
    P2 ! stop,
    receive {'DOWN', M2, _, _, _} -> ok end,
    receive {'ETS-TRANSFER', T2, From, Data} -> p({From =:= P2, Data}), p(ets:tab2list(T2)), ets:delete(T2) end.

p(X) -> io:format("~p~n", [X]).
