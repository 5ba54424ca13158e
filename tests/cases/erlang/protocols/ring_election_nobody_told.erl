%! run: ring_election_nobody_told:test/0
%! verdict: deadlock
%% The leader is known to itself only; the others stay for news.
-module(ring_election_nobody_told).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Nodes = [spawn(fun() -> receive {next, N} -> N ! {id, Id}, node(Id, N, Self) end end) || Id <- [1, 2]],
    [A, B] = Nodes,
    [N ! {next, Next} || {N, Next} <- [{A, B}, {B, A}]],
    receive {leader, L} -> ?assertEqual(2, L) end.

node(Id, Next, Boss) ->
    receive
        {id, Id} -> Boss ! {leader, Id};
        {id, Other} when Other > Id -> Next ! {id, Other}, node(Id, Next, Boss);
        {id, _} -> node(Id, Next, Boss)
    end.
