%! run: heir_survives_the_kill:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 12, transitions = 11, depth = 11
%! stateless(optimal): holds, interleavings = 1
%% With the heir named at once a killed owner leaves its table behind.
-module(heir_survives_the_kill).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    Self = self(),
    Owner = spawn(fun() ->
        ets:new(t, [public, {heir, Self, legacy}]),
        Self ! ready,
        receive never -> ok end
    end),
    receive ready -> exit(Owner, kill) end,
    receive {'ETS-TRANSFER', T, Owner, legacy} -> ?assertEqual(Self, ets:info(T, owner)) end.
