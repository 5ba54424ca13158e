%% The assertion macros, passing and failing.
-module(eunit_assertions).
-export([main/0]).

-include_lib("stdlib/include/assert.hrl").
main() ->
    ?assert(1 < 2), ?assertNot(false), ?assertEqual(3, 1 + 2), ?assertNotEqual(1, 2), ?assertMatch({ok, _}, {ok, 1}),
    ?assertNotMatch({error, _}, {ok, 1}), ?assertError(badarith, 1 / zero()), ?assertThrow(x, throw(x)), ?assertExit(y, exit(y)),
    ?assertException(error, {bad, _}, error({bad, 1})),
    p(passed),
    p(kind(fun() -> ?assert(1 > two()) end)), p(kind(fun() -> ?assertEqual(1, two()) end)), p(kind(fun() -> ?assertMatch({ok, _}, two()) end)),
    p(kind(fun() -> ?assertError(badarg, two()) end)), p(kind(fun() -> ?assertNot(two() =:= 2) end)), p(kind(fun() -> ?assertNotEqual(2, two()) end)).

kind(F) ->
    try F() catch error:{Kind, Info} -> {Kind, proplists:get_value(expected, Info), proplists:get_value(value, Info)} end.
zero() -> list_to_integer("0").
two() -> list_to_integer("2").

p(X) -> io:format("~p~n", [X]).
