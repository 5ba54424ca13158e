%! run: ensure_started:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 606, transitions = 1484, depth = 30
%! stateless(optimal): holds, interleavings = 8
%% Start if not there, and live with losing the race: the loser's server goes away and both use the winner.
-module(ensure_started).
-export([test/0]).

test() ->
    Self = self(),
    [spawn(fun() -> ensure(), server ! {ask, self()}, receive answer -> Self ! done end end) || _ <- [1, 2]],
    receive done -> ok end,
    receive done -> ok end,
    server ! stop.

ensure() ->
    Starter = self(),
    spawn(fun() ->
        R = try register(server, self()) catch error:badarg -> false end,
        Starter ! started,
        case R of true -> loop(); false -> ok end
    end),
    receive started -> ok end.

loop() ->
    receive {ask, From} -> From ! answer, loop(); stop -> ok end.
