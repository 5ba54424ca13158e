%! run: worker_pool_unequal:test/0
%! verdict: assertion
%% Nothing makes the two workers share the jobs equally.
-module(worker_pool_unequal).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Q = spawn(fun() -> queue([1, 2], 2) end),
    [spawn(fun() -> Self ! {did, worker(Q, 0)} end) || _ <- [1, 2]],
    L = [receive {did, N} -> N end || _ <- [1, 2]],
    ?assertEqual([1, 1], L).

queue([], 0) -> ok;
queue([], Workers) -> receive {next, W} -> W ! none, queue([], Workers - 1) end;
queue([J | Rest], Workers) -> receive {next, W} -> W ! {job, J}, queue(Rest, Workers) end.

worker(Q, N) ->
    Q ! {next, self()},
    receive {job, _} -> worker(Q, N + 1); none -> N end.
