%! run: stop_overtakes_work:test/0
%! verdict: deadlock
%% The work comes from a helper and the stop from the main process: the worker may stop before it has worked.
-module(stop_overtakes_work).
-export([test/0]).

test() ->
    Self = self(),
    Worker = spawn(fun() -> worker(Self) end),
    spawn(fun() -> Worker ! work end),
    Worker ! stop,
    receive worked -> ok end.

worker(Boss) ->
    receive
        work -> Boss ! worked, worker(Boss);
        stop -> ok
    end.
