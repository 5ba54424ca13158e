%! run: eunit_assertions:test/0
%! verdict: holds
%% Assertions as eunit gives them, all of them true in every order.
-module(eunit_assertions).
-export([test/0]).
-include_lib("eunit/include/eunit.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    A = receive X -> X end,
    B = receive Y -> Y end,
    ?assert(A =/= B),
    ?assertEqual(3, A + B).
