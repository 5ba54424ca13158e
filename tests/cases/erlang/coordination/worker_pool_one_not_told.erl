%! run: worker_pool_one_not_told:test/0
%! verdict: deadlock
%% The queue ends when it is empty, and a worker that asks later waits for ever.
-module(worker_pool_one_not_told).
-export([test/0]).

test() ->
    Self = self(),
    Q = spawn(fun() -> queue([1, 2]) end),
    [spawn(fun() -> worker(Q, Self) end) || _ <- [1, 2]],
    [receive {done, J} -> J end || _ <- [1, 2]].

queue([]) -> receive {next, W} -> W ! none end;
queue([J | Rest]) -> receive {next, W} -> W ! {job, J}, queue(Rest) end.

worker(Q, Boss) ->
    Q ! {next, self()},
    receive {job, J} -> Boss ! {done, J}, worker(Q, Boss); none -> ok end.
