%! run: rendezvous_of_pairs:test/0
%! verdict: holds
%% Two exchange values through a third and both get the other's.
-module(rendezvous_of_pairs).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    M = spawn(fun() ->
        receive {swap, P, X} -> receive {swap, Q, Y} -> P ! {got, Y}, Q ! {got, X} end end
    end),
    Self = self(),
    [spawn(fun() -> M ! {swap, self(), N}, receive {got, X} -> Self ! {N, X} end end) || N <- [1, 2]],
    receive {1, A} -> ?assertEqual(2, A) end,
    receive {2, B} -> ?assertEqual(1, B) end.
