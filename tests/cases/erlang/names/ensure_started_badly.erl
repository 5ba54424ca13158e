%! run: ensure_started_badly:test/0
%! verdict: abnormal_exit
%% The check and the registration are two steps: two starters can both find nobody.
-module(ensure_started_badly).
-export([test/0]).

test() ->
    [spawn(fun() -> ensure() end) || _ <- [1, 2]].

ensure() ->
    case whereis(server) of
        undefined -> register(server, spawn(fun() -> receive stop -> ok after 1000 -> ok end end));
        _ -> ok
    end.
