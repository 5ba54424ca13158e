%! run: become_another_loop:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 184, transitions = 398, depth = 25
%! stateless(optimal): holds, interleavings = 4
%% A process changes its behaviour by calling another loop: locked it knows only unlock.
-module(become_another_loop).
-export([test/0]).

test() ->
    Self = self(),
    Lock = spawn(fun() -> unlocked() end),
    [spawn(fun() ->
        Lock ! {lock, self()},
        receive locked -> ok end,
        Lock ! unlock,
        Self ! done
    end) || _ <- [1, 2]],
    receive done -> ok end,
    receive done -> ok end,
    Lock ! stop.

unlocked() ->
    receive {lock, From} -> From ! locked, locked(); stop -> ok end.

locked() ->
    receive unlock -> unlocked() end.
