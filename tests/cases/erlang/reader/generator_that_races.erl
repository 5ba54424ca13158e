%! run: generator_that_races:order_test_/0
%! verdict: assertion
%% A test out of a generator is explored like any other: one of two orders fails.
-module(generator_that_races).
-include_lib("eunit/include/eunit.hrl").

order_test_() ->
    {"both orders", ?_test(begin
        Main = self(),
        [spawn(fun() -> Main ! X end) || X <- [1, 2]],
        receive Y -> ?assertEqual(1, Y) end
    end)}.
