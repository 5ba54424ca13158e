%! run: catch_hides_the_failure:test/0
%! verdict: deadlock
%% catch hides that the send failed, and the answer never comes.
-module(catch_hides_the_failure).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> register(server, self()), receive {ask, P} -> P ! answer after 10 -> ok end, Self ! over end),
    catch server ! {ask, Self},
    receive over -> ok end,
    receive answer -> ok end.
