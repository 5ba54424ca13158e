%% The module timer: sleep, send_after, apply_after, cancel, tc.
-module(timer_module).
-export([main/0]).
-export([poke/2]).

main() ->
    p(timer:sleep(1)),
    {ok, _} = timer:send_after(5, hello),
    receive A -> p(A) end,
    {ok, _} = timer:send_after(5, self(), there),
    receive B -> p(B) end,
    {ok, _} = timer:apply_after(5, ?MODULE, poke, [self(), poked]),
    receive C -> p(C) end,
    {ok, T} = timer:send_after(100000, never),
    p(timer:cancel(T)),
    {Micros, Value} = timer:tc(fun() -> 42 end),
    p({is_integer(Micros), Value}),
    {_, Four} = timer:tc(erlang, '+', [2, 2]),
    p(Four).

poke(Pid, M) -> Pid ! M.

p(X) -> io:format("~p~n", [X]).
