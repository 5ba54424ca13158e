%! run: counter_with_acknowledgement:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 118, transitions = 233, depth = 23
%! stateless(optimal): holds, interleavings = 4
%% Both adders have their answer before the value is asked for.
-module(counter_with_acknowledgement).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Counter = spawn(fun() -> counter(0) end),
    [spawn(fun() -> Counter ! {add, self(), 1}, receive added -> Self ! done end end) || _ <- [1, 2]],
    receive done -> ok end,
    receive done -> ok end,
    Counter ! {get, Self},
    receive {value, V} -> ?assertEqual(2, V) end.

counter(N) ->
    receive
        {add, From, K} -> From ! added, counter(N + K);
        {get, From} -> From ! {value, N}
    end.
