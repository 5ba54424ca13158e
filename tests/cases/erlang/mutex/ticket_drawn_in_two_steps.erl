%! run: ticket_drawn_in_two_steps:test/0
%! verdict: assertion
%% Drawing the ticket with a lookup and an insert gives two the same number.
-module(ticket_drawn_in_two_steps).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(shared, [public]),
    ets:insert(T, [{next, 0}, {serving, 0}, {inside, 0}]),
    Self = self(),
    [spawn(fun() -> Self ! {saw, run(T)} end) || _ <- [1, 2]],
    L = [receive {saw, N} -> N end || _ <- [1, 2]],
    ?assert(lists:max(L) =< 1).

run(T) ->
    [{next, Ticket}] = ets:lookup(T, next),
    ets:insert(T, {next, Ticket + 1}),
    case ets:lookup(T, serving) of
        [{serving, Ticket}] ->
            N = ets:update_counter(T, inside, 1),
            ets:update_counter(T, inside, -1),
            ets:update_counter(T, serving, 1),
            N;
        _ -> 0
    end.
