%! run: send_by_name:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 26, transitions = 43, depth = 11
%! stateless(optimal): holds, interleavings = 1
%% The name is registered before anybody uses it.
-module(send_by_name).
-export([test/0]).

test() ->
    Self = self(),
    register(echo, spawn(fun() -> receive {hi, From} -> From ! hi end end)),
    spawn(fun() -> echo ! {hi, Self} end),
    receive hi -> ok end.
