%! run: send_to_found_pid:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 125, transitions = 313, depth = 13
%! stateless(optimal): holds, interleavings = 4
%% Having the pid, sending cannot fail, even if the owner of the name is gone.
-module(send_to_found_pid).
-export([test/0]).

test() ->
    register(brief, spawn(fun() -> receive _ -> ok end end)),
    spawn(fun() -> case whereis(brief) of undefined -> ok; P -> P ! one end end),
    spawn(fun() -> case whereis(brief) of undefined -> ok; P -> P ! two end end).
