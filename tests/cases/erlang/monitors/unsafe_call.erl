%! run: unsafe_call:test/0
%! verdict: deadlock
%% The same call without a monitor hangs when the server has served its only client.
-module(unsafe_call).
-export([test/0]).

test() ->
    Server = spawn(fun() -> receive {call, From, R, N} -> From ! {R, N + 1} end end),
    [spawn(fun() -> 2 = call(Server, 1) end) || _ <- [1, 2]].

call(Server, N) ->
    Ref = make_ref(),
    Server ! {call, self(), Ref, N},
    receive {Ref, Answer} -> Answer end.
