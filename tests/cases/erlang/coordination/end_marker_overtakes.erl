%! run: end_marker_overtakes:test/0
%! verdict: assertion
%% The end marker of one producer arrives before the item of the other, and an item is lost.
-module(end_marker_overtakes).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    C = spawn(fun() -> Self ! {sum, consume(0)} end),
    P = spawn(fun() -> C ! {item, 1} end),
    spawn(fun() -> C ! {item, 2}, C ! eof end),
    receive {sum, S} -> ?assertEqual(3, S) end,
    is_pid(P).

consume(Sum) ->
    receive {item, N} -> consume(Sum + N); eof -> Sum end.
