%! run: sleep_is_no_synchronisation:test/0
%! verdict: assertion
%% Sleeping does not make the child any faster: its message may still not be there.
-module(sleep_is_no_synchronisation).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! ready end),
    timer:sleep(1000),
    R = receive ready -> ready after 0 -> not_ready end,
    ?assertEqual(ready, R).
