%! run: give_away_then_write:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 15, transitions = 18, depth = 10
%! stateless(optimal): holds, interleavings = 1
%% The new owner is told and may write to the protected table.
-module(give_away_then_write).
-export([test/0]).

test() ->
    Self = self(),
    P = spawn(fun() ->
        receive {'ETS-TRANSFER', T, Self, gift} -> ets:insert(T, {k, v}), Self ! done end
    end),
    T = ets:new(t, [protected]),
    ets:give_away(T, P, gift),
    receive done -> ok end.
