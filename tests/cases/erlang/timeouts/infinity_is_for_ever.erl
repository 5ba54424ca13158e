%! run: infinity_is_for_ever:test/0
%! verdict: deadlock
%% Nobody writes, and infinity never ends.
-module(infinity_is_for_ever).
-export([test/0]).

test() ->
    receive after infinity -> ok end.
