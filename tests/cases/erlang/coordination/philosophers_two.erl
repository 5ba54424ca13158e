%! run: philosophers_two:test/0
%! verdict: deadlock
%% Each of two philosophers has one fork and waits for the other.
-module(philosophers_two).
-export([test/0]).

test() ->
    [F, G] = [spawn(fun() -> fork() end) || _ <- [1, 2]],
    Self = self(),
    [spawn(fun() -> eat(L, R), Self ! fed end) || {L, R} <- [{F, G}, {G, F}]],
    [receive fed -> ok end || _ <- [1, 2]],
    [X ! stop || X <- [F, G]].

eat(L, R) ->
    [begin X ! {take, self()}, receive {taken, X} -> ok end end || X <- [L, R]],
    [X ! put || X <- [L, R]].

fork() ->
    receive {take, P} -> P ! {taken, self()}, receive put -> fork() end; stop -> ok end.
