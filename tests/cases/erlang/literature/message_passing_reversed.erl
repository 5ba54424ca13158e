%! run: message_passing_reversed:test/0
%! verdict: assertion
%% The flag before the data: the reader may see a flag without data.
-module(message_passing_reversed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{data, 0}, {flag, 0}]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {flag, 1}), ets:insert(T, {data, 1}), Self ! done end),
    F = ets:lookup_element(T, flag, 2),
    D = ets:lookup_element(T, data, 2),
    receive done -> ok end,
    ?assertNot(F =:= 1 andalso D =:= 0).
