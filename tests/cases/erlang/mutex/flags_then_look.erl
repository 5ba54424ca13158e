%! run: flags_then_look:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 105, transitions = 202, depth = 16
%! stateless(optimal): holds, interleavings = 6
%% Raise the flag, then look: perhaps nobody gets in, but never both.
-module(flags_then_look).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, [{0, down}, {1, down}]),
    Self = self(),
    [spawn(fun() ->
        ets:insert(T, {Me, up}),
        Self ! {entered, ets:lookup(T, 1 - Me) =:= [{1 - Me, down}]}
    end) || Me <- [0, 1]],
    L = [receive {entered, E} -> E end || _ <- [1, 2]],
    ?assertNotEqual([true, true], L).
