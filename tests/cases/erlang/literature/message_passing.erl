%! run: message_passing:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 34, transitions = 48, depth = 12
%! stateless(optimal): holds, interleavings = 3
%% Data first, then the flag: who sees the flag sees the data.
-module(message_passing).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{data, 0}, {flag, 0}]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {data, 1}), ets:insert(T, {flag, 1}), Self ! done end),
    F = ets:lookup_element(T, flag, 2),
    D = ets:lookup_element(T, data, 2),
    receive done -> ok end,
    ?assertNot(F =:= 1 andalso D =:= 0).
