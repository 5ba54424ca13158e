%! run: ping_pong_one_short:test/0
%! verdict: deadlock
%% The answering side stays for a round that never comes.
-module(ping_pong_one_short).
-export([test/0]).

test() ->
    Self = self(),
    Pong = spawn(fun() -> pong(Self, 3) end),
    ping(Pong, 2).

ping(_, 0) -> ok;
ping(Pong, N) ->
    Pong ! ping,
    receive pong -> ping(Pong, N - 1) end.

pong(_, 0) -> ok;
pong(Ping, N) ->
    receive ping -> Ping ! pong, pong(Ping, N - 1) end.
