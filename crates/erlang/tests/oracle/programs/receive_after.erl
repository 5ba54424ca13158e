%% Timeouts: zero, some, infinity, and a value computed.
-module(receive_after).
-export([main/0]).

main() ->
    receive _ -> p(message) after 0 -> p(zero) end,
    receive after 10 -> p(ten) end,
    self() ! hello,
    receive hello -> p(hello) after 1000 -> p(late) end,
    T = 5 * 2,
    receive never -> p(never) after T -> p({waited, T}) end,
    self() ! now,
    receive X -> p(X) after infinity -> p(never) end.

p(X) -> io:format("~p~n", [X]).
