%! run: timeout_may_win:test/0
%! verdict: assertion
%% A finite timeout may fire although the message is on its way.
-module(timeout_may_win).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    R = receive hello -> got after 10 -> gave_up end,
    ?assertEqual(got, R).
