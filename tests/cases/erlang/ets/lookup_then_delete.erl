%! run: lookup_then_delete:test/0
%! verdict: assertion
%% Looking a job up and deleting it then lets two workers have the same job.
-module(lookup_then_delete).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {job, 1}),
    Self = self(),
    [spawn(fun() -> J = ets:lookup(T, job), ets:delete(T, job), Self ! {took, J} end) || _ <- [1, 2]],
    L = [receive {took, X} -> X end || _ <- [1, 2]],
    ?assertEqual([[], [{job, 1}]], lists:sort(L)).
