%! run: counter_asked_too_early:test/0
%! verdict: assertion
%% The value is asked for while the adders may not have spoken yet.
-module(counter_asked_too_early).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Counter = spawn(fun() -> counter(0) end),
    [spawn(fun() -> Counter ! {add, 1} end) || _ <- [1, 2]],
    Counter ! {get, self()},
    receive {value, V} -> ?assertEqual(2, V) end.

counter(N) ->
    receive
        {add, K} -> counter(N + K);
        {get, From} -> From ! {value, N}
    end.
