%! run: zero_is_too_early:test/0
%! verdict: assertion
%% Polling once with after 0 misses a child that has not run yet.
-module(zero_is_too_early).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    R = receive hello -> got after 0 -> empty end,
    ?assertEqual(got, R).
