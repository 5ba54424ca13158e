%! run: eunit_assertion_fails:test/0
%! verdict: assertion
%% An assertion of eunit that is true in one order only.
-module(eunit_assertion_fails).
-export([test/0]).
-include_lib("eunit/include/eunit.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    A = receive X -> X end,
    B = receive Y -> Y end,
    ?assert(A < B).
