%! run: flags_somebody_enters:test/0
%! verdict: assertion
%% Raise the flag, then look: if both raise first, both step back and nobody enters.
-module(flags_somebody_enters).
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
    ?assert(lists:member(true, L)).
