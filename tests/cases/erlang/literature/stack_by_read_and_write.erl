%! run: stack_by_read_and_write:test/0
%! verdict: assertion
%% A stack whose top is read and written in two steps loses a push.
-module(stack_by_read_and_write).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(stack, [public]),
    ets:insert(T, {top, []}),
    Self = self(),
    [spawn(fun() ->
        Top = ets:lookup_element(T, top, 2),
        ets:insert(T, {top, [N | Top]}),
        Self ! done
    end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([1, 2], lists:sort(ets:lookup_element(T, top, 2))).
