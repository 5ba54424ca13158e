%! run: messages_of_who_is_about_to_end:test/0
%! verdict: abnormal_exit
%% A process that has nothing more to do but to end is alive, and what is sent to it is in its mailbox.
-module(messages_of_who_is_about_to_end).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive go -> ok end end),
    P ! go,
    P ! too_late,
    case process_info(P, message_queue_len) of
        {message_queue_len, 1} -> exit(seen);
        _ -> ok
    end.
