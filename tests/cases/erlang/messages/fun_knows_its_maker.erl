%! run: fun_knows_its_maker:test/0
%! verdict: assertion
%% self() is evaluated where the fun runs, not where it was made.
-module(fun_knows_its_maker).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Runner = spawn(fun() -> receive {run, F} -> Self ! {result, F()} end end),
    Runner ! {run, fun() -> self() end},
    receive {result, R} -> ?assertEqual(Self, R) end.
