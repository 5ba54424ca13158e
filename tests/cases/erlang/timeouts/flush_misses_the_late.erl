%! run: flush_misses_the_late:test/0
%! verdict: assertion
%% Flushing empties what has arrived; what is still to come is seen by the next receive.
-module(flush_misses_the_late).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! old end),
    flush(),
    Self ! new,
    X = receive M -> M end,
    ?assertEqual(new, X).

flush() ->
    receive _ -> flush() after 0 -> ok end.
