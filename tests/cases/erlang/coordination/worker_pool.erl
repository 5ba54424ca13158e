%! run: worker_pool:test/0
%! verdict: holds
%% Two workers take three jobs from a queue; every job is done once.
-module(worker_pool).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Q = spawn(fun() -> queue([1, 2, 3], 2) end),
    [spawn(fun() -> worker(Q, Self) end) || _ <- [1, 2]],
    L = [receive {done, J} -> J end || _ <- [1, 2, 3]],
    ?assertEqual([1, 2, 3], lists:sort(L)).

queue([], 0) -> ok;
queue([], Workers) -> receive {next, W} -> W ! none, queue([], Workers - 1) end;
queue([J | Rest], Workers) -> receive {next, W} -> W ! {job, J}, queue(Rest, Workers) end.

worker(Q, Boss) ->
    Q ! {next, self()},
    receive {job, J} -> Boss ! {done, J}, worker(Q, Boss); none -> ok end.
