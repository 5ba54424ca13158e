%! run: queue_length_bounds:test/0
%! verdict: holds
%% The snapshot lies between none and all of the messages.
-module(queue_length_bounds).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() -> Self ! a end) || _ <- [1, 2]],
    {message_queue_len, N} = process_info(Self, message_queue_len),
    ?assert(N >= 0 andalso N =< 2),
    receive a -> ok end,
    receive a -> ok end.
