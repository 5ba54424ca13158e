%! run: answer_from_the_dead:test/0
%! verdict: deadlock
%% The server serves one client only; whoever is second waits for an answer that never comes.
-module(answer_from_the_dead).
-export([test/0]).

test() ->
    Server = spawn(fun() -> receive {From, hi} -> From ! hi end end),
    [spawn(fun() -> Server ! {self(), hi}, receive hi -> ok end end) || _ <- [1, 2]],
    ok.
