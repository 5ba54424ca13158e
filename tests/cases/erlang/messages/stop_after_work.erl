%! run: stop_after_work:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 16, transitions = 21, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% Work and stop come from one process, so the work is first.
-module(stop_after_work).
-export([test/0]).

test() ->
    Self = self(),
    Worker = spawn(fun() -> worker(Self) end),
    Worker ! work,
    Worker ! stop,
    receive worked -> ok end.

worker(Boss) ->
    receive
        work -> Boss ! worked, worker(Boss);
        stop -> ok
    end.
