%! run: answers_without_references:test/0
%! verdict: assertion
%% Two servers are asked at once and their answers told apart by order alone, which is anybody's guess.
-module(answers_without_references).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Double = spawn(fun() -> receive {From, N} -> From ! 2 * N end end),
    Square = spawn(fun() -> receive {From, N} -> From ! N * N end end),
    Double ! {self(), 3},
    Square ! {self(), 3},
    Doubled = receive X -> X end,
    receive _Squared -> ok end,
    ?assertEqual(6, Doubled).
