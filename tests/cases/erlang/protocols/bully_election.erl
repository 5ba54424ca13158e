%! run: bully_election:test/0
%! verdict: assertion
%% The smaller claims leadership when it hears nothing in time, though the larger is only slow.
-module(bully_election).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Large = spawn(fun() -> receive {election, P} -> P ! alive, Self ! {leader, 2} end end),
    spawn(fun() ->
        Large ! {election, self()},
        receive alive -> ok after 100 -> Self ! {leader, 1} end
    end),
    receive {leader, L} -> ?assertEqual(2, L) end.
