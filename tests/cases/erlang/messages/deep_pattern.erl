%! run: deep_pattern:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 31, transitions = 55, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% A pattern that looks inside tuples, lists, maps and binaries; only the fitting message is taken.
-module(deep_pattern).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! {job, #{id => 1, tags => [a]}, <<2:8, "x">>} end),
    spawn(fun() -> Self ! {job, #{id => 2, tags => [a, b]}, <<1:8, "y">>} end),
    receive {job, #{id := Id, tags := [_, b | _]}, <<1:8, Rest/binary>>} ->
        ?assertEqual({2, <<"y">>}, {Id, Rest})
    end,
    receive {job, #{id := 1}, <<N:8, _/binary>>} -> ?assertEqual(2, N) end.
