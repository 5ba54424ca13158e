%! run: generator_with_a_failure:bad_test_/0
%! verdict: assertion
%% A generator's tests are run: here the one in the set-up fails.
-module(generator_with_a_failure).
-include_lib("eunit/include/eunit.hrl").

bad_test_() ->
    [?_assertEqual(1, 1), {setup, fun() -> ok end, fun(_) -> ok end, fun(_) -> [?_assert(false)] end}].
