%! run: unexpected_in_state:test/0
%! verdict: abnormal_exit
%% The loop crashes on what its state does not expect, and two lockers can race.
-module(unexpected_in_state).
-export([test/0]).

test() ->
    Lock = spawn(fun() -> unlocked() end),
    [spawn(fun() -> Lock ! lock, Lock ! unlock end) || _ <- [1, 2]],
    ok.

unlocked() ->
    receive
        lock -> locked();
        Other -> exit({unexpected, Other})
    after 0 ->
        unlocked_once_more()
    end.

unlocked_once_more() ->
    receive lock -> locked(); unlock -> exit(not_locked) after 100 -> ok end.

locked() ->
    receive unlock -> unlocked(); lock -> exit(already_locked) end.
