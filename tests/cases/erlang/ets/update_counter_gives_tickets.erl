%! run: update_counter_gives_tickets:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 64, transitions = 120, depth = 14
%! stateless(optimal): holds, interleavings = 4
%% Each caller of update_counter sees a number of its own.
-module(update_counter_gives_tickets).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(tickets, [public]),
    ets:insert(T, {next, 0}),
    Self = self(),
    [spawn(fun() -> Self ! {ticket, ets:update_counter(T, next, 1)} end) || _ <- [1, 2]],
    L = [receive {ticket, N} -> N end || _ <- [1, 2]],
    ?assertEqual([1, 2], lists:sort(L)).
