%! run: watchdog_asks_again:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 19, transitions = 23, depth = 9
%! stateless(optimal): holds, interleavings = 2
%% On silence the watchdog asks and then waits as long as it takes.
-module(watchdog_asks_again).
-export([test/0]).

test() ->
    Self = self(),
    Worker = spawn(fun() -> worker(Self) end),
    receive
        beat -> ok
    after 100 ->
        Worker ! {alive, Self},
        receive yes -> ok end
    end,
    Worker ! stop.

worker(Boss) ->
    Boss ! beat,
    receive {alive, From} -> From ! yes, receive stop -> ok end; stop -> ok end.
