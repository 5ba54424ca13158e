%! run: two_tokens:test/0
%! verdict: assertion
%% Two tokens in a ring: the promise that only the holder works is broken.
-module(two_tokens).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {working, 0}),
    Self = self(),
    Nodes = [spawn(fun() -> node(T, Self) end) || _ <- [1, 2]],
    [N ! token || N <- Nodes],
    L = [receive {saw, N} -> N end || _ <- Nodes],
    ?assertEqual([1, 1], L).

node(T, Boss) ->
    receive token ->
        N = ets:update_counter(T, working, 1),
        ets:update_counter(T, working, -1),
        Boss ! {saw, N}
    end.
