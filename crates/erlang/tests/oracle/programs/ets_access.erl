%% Protected and private tables refuse other processes.
-module(ets_access).
-export([main/0]).

main() ->
    Self = self(),
    [begin
         T = ets:new(t, [Access]),
         ets:insert(T, {k, v}),
         spawn(fun() ->
                       R = try ets:lookup(T, k) catch error:E -> E end,
                       W = try ets:insert(T, {k, w}) catch error:E2 -> E2 end,
                       Self ! {Access, R, W}
               end),
         receive M -> p(M) end,
         p(ets:info(T, protection)),
         ets:delete(T)
     end || Access <- [public, protected, private]].

p(X) -> io:format("~p~n", [X]).
