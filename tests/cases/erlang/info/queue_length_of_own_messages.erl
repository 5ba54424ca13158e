%! run: queue_length_of_own_messages:test/0
%! verdict: holds
%% With nobody else writing, the length is what was sent.
-module(queue_length_of_own_messages).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Self ! a,
    Self ! b,
    {message_queue_len, N} = process_info(Self, message_queue_len),
    ?assertEqual(2, N).
