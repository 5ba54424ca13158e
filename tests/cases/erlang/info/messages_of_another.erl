%! run: messages_of_another:test/0
%! verdict: abnormal_exit
%% A process may have ended when it is looked at: process_info is then undefined and does not match.
-module(messages_of_another).
-export([test/0]).

test() ->
    P = spawn(fun() -> ok end),
    {message_queue_len, _} = process_info(P, message_queue_len).
