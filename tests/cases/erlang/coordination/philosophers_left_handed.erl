%! run: philosophers_left_handed:test/0
%! verdict: holds
%% One of the philosophers is left-handed, which breaks the circle.
-module(philosophers_left_handed).
-export([test/0]).

test() ->
    [F, G] = [spawn(fun() -> fork() end) || _ <- [1, 2]],
    Self = self(),
    [spawn(fun() -> eat(F, G), Self ! fed end) || _ <- [1, 2]],
    [receive fed -> ok end || _ <- [1, 2]],
    [X ! stop || X <- [F, G]].

eat(L, R) ->
    [begin X ! {take, self()}, receive {taken, X} -> ok end end || X <- [L, R]],
    [X ! put || X <- [L, R]].

fork() ->
    receive {take, P} -> P ! {taken, self()}, receive put -> fork() end; stop -> ok end.
