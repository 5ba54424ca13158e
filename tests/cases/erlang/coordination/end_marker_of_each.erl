%! run: end_marker_of_each:test/0
%! verdict: holds
%% The consumer counts an end marker from every producer.
-module(end_marker_of_each).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    C = spawn(fun() -> Self ! {sum, consume(0, 2)} end),
    [spawn(fun() -> C ! {item, N}, C ! eof end) || N <- [1, 2]],
    receive {sum, S} -> ?assertEqual(3, S) end.

consume(Sum, 0) -> Sum;
consume(Sum, Open) ->
    receive {item, N} -> consume(Sum + N, Open); eof -> consume(Sum, Open - 1) end.
