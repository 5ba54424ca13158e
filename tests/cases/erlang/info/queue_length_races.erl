%! run: queue_length_races:test/0
%! verdict: assertion
%% The length of one's mailbox is a snapshot: the child may not have written yet.
-module(queue_length_races).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! a end),
    {message_queue_len, N} = process_info(Self, message_queue_len),
    ?assertEqual(1, N).
