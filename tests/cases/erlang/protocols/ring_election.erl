%! run: ring_election:test/0
%! verdict: holds
%% Leader election on a ring: larger numbers pass, smaller are swallowed; exactly the largest wins.
-module(ring_election).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Nodes = [spawn(fun() -> receive {next, N} -> N ! {id, Id}, node(Id, N, Self) end end) || Id <- [2, 3, 1]],
    [A, B, C] = Nodes,
    [N ! {next, Next} || {N, Next} <- [{A, B}, {B, C}, {C, A}]],
    receive {leader, L} -> ?assertEqual(3, L) end.

node(Id, Next, Boss) ->
    receive
        {id, Id} -> Boss ! {leader, Id}, Next ! over;
        {id, Other} when Other > Id -> Next ! {id, Other}, node(Id, Next, Boss);
        {id, _} -> node(Id, Next, Boss);
        over -> Next ! over
    end.
