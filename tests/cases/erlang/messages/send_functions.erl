%! run: send_functions:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 17, transitions = 23, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% erlang:send/2 gives the message, send/3 gives ok; both deliver.
-module(send_functions).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() ->
        one = erlang:send(Self, one),
        ok = erlang:send(Self, two, [noconnect]),
        ok = erlang:send(Self, three, [nosuspend])
    end),
    receive one -> ok end,
    receive two -> ok end,
    receive three -> ok end.
