%! run: stale_lookup:test/0
%! verdict: deadlock
%% The pid found under the name may have ended when the question arrives.
-module(stale_lookup).
-export([test/0]).

test() ->
    Server = spawn(fun() -> receive {ask, From} -> From ! answer; stop -> ok end end),
    register(server, Server),
    spawn(fun() -> Server ! stop end),
    case whereis(server) of
        undefined -> ok;
        P -> P ! {ask, self()}, receive answer -> ok end
    end.
