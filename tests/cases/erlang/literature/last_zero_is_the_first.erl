%! run: last_zero_is_the_first:test/0
%! verdict: assertion
%% The searcher may find a zero that is overwritten later, so what it finds need not be cell zero.
-module(last_zero_is_the_first).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    N = 2,
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
    receive {found, I} -> ?assertEqual(0, I) end.

search(T, I) ->
    case ets:lookup_element(T, I, 2) of 0 -> I; _ -> search(T, I - 1) end.
