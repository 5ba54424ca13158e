%! run: two_senders_order_assumed:test/0
%! verdict: assertion
%% Nothing orders messages of two senders: the second child may well be first.
-module(two_senders_order_assumed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! N end) || N <- [1, 2]],
    A = receive X -> X end,
    ?assertEqual(1, A),
    receive 2 -> ok end.
