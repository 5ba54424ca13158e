%! run: ticket_lock:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 189, transitions = 370, depth = 21
%! stateless(optimal): holds, interleavings = 8
%% Draw a ticket, enter when it is served; a process that is not next gives up its place in order.
-module(ticket_lock).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, [{next, -1}, {serving, 0}, {inside, 0}]),
    Self = self(),
    [spawn(fun() -> Self ! {saw, run(T)} end) || _ <- [1, 2]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assert(lists:max(L) =< 1).

run(T) ->
    Ticket = ets:update_counter(T, next, 1),
    case ets:lookup(T, serving) of
        [{serving, Ticket}] ->
            N = ets:update_counter(T, inside, 1),
            ets:update_counter(T, inside, -1),
            ets:update_counter(T, serving, 1),
            N;
        _ -> 0
    end.
