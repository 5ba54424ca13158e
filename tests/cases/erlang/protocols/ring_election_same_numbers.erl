%! run: ring_election_same_numbers:test/0
%! verdict: assertion
%% Two nodes with the same number both believe to have won.
-module(ring_election_same_numbers).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Nodes = [spawn(fun() -> receive {next, N} -> N ! {id, Id}, node(Id, N, Self) end end) || Id <- [3, 3]],
    [A, B] = Nodes,
    [N ! {next, Next} || {N, Next} <- [{A, B}, {B, A}]],
    receive {leader, _} -> ok end,
    R = receive {leader, _} -> two_leaders after 10 -> one_leader end,
    ?assertEqual(one_leader, R).

node(Id, Next, Boss) ->
    receive
        {id, Id} -> Boss ! {leader, Id};
        {id, Other} when Other > Id -> Next ! {id, Other}, node(Id, Next, Boss);
        {id, _} -> node(Id, Next, Boss)
    end.
