%! run: ping_pong_thrice:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 18, transitions = 19, depth = 15
%! stateless(optimal): holds, interleavings = 1
%% Three rounds of ping and pong; both sides count the same.
-module(ping_pong_thrice).
-export([test/0]).

test() ->
    Self = self(),
    Pong = spawn(fun() -> pong(Self, 3) end),
    ping(Pong, 3).

ping(_, 0) -> ok;
ping(Pong, N) ->
    Pong ! ping,
    receive pong -> ping(Pong, N - 1) end.

pong(_, 0) -> ok;
pong(Ping, N) ->
    receive ping -> Ping ! pong, pong(Ping, N - 1) end.
