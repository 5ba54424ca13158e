%% Subscribers get what is published while they are subscribed, in order.
-module(pub_sub).
-export([main/0]).

main() ->
    Hub = spawn(fun() -> hub([]) end),
    sync(Hub, {subscribe, self()}),
    Hub ! {publish, one},
    Hub ! {publish, two},
    sync(Hub, {unsubscribe, self()}),
    Hub ! {publish, three},
    sync(Hub, nothing),
    p(all()),
    Hub ! stop.

sync(Hub, M) -> Hub ! {self(), M}, receive {Hub, ok} -> ok end.

hub(Subs) ->
    receive
        {From, {subscribe, P}} -> From ! {self(), ok}, hub([P | Subs]);
        {From, {unsubscribe, P}} -> From ! {self(), ok}, hub(lists:delete(P, Subs));
        {From, nothing} -> From ! {self(), ok}, hub(Subs);
        {publish, M} -> [S ! {news, M} || S <- Subs], hub(Subs);
        stop -> ok
    end.

all() -> receive {news, M} -> [M | all()] after 0 -> [] end.

p(X) -> io:format("~p~n", [X]).
