%! run: last_zero_three:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 9869, transitions = 33642, depth = 27
%! stateless(optimal): holds, interleavings = 72
%% Each writer makes its cell one more than its left neighbour; who looks for the last zero always finds one.
-module(last_zero_three).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    N = 3,
    T = ets:new(t, [public]),
    ets:insert(T, [{I, 0} || I <- lists:seq(0, N)]),
    Self = self(),
    spawn(fun() -> Self ! {found, search(T, N)} end),
    [spawn(fun() ->
        V = ets:lookup_element(T, I - 1, 2),
        ets:insert(T, {I, V + 1}),
        Self ! done
    end) || I <- lists:seq(1, N)],
    [receive done -> ok end || _ <- lists:seq(1, N)],
    receive {found, I} -> ?assert(I >= 0 andalso I =< N) end.

search(T, I) ->
    case ets:lookup_element(T, I, 2) of 0 -> I; _ -> search(T, I - 1) end.
