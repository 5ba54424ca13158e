%% A bounded buffer between a producer and a consumer.
-module(producer_consumer).
-export([main/0]).

main() ->
    Buffer = spawn(fun() -> buffer(queue:new(), 0, 3, []) end),
    spawn(fun() -> [put_item(Buffer, N) || N <- lists:seq(1, 10)] end),
    p([get_item(Buffer) || _ <- lists:seq(1, 10)]),
    exit(Buffer, kill).

put_item(B, X) -> B ! {put, self(), X}, receive {B, ok} -> ok end.

get_item(B) -> B ! {get, self()}, receive {B, X} -> X end.

buffer(Q, N, Max, Waiting) ->
    receive
        {put, From, X} when N < Max -> From ! {self(), ok}, buffer(queue:in(X, Q), N + 1, Max, Waiting);
        {get, From} when N > 0 ->
            {{value, X}, Rest} = queue:out(Q),
            From ! {self(), X},
            buffer(Rest, N - 1, Max, Waiting)
    end.

p(X) -> io:format("~p~n", [X]).
