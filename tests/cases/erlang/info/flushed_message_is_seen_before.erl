%! run: flushed_message_is_seen_before:test/0
%! verdict: abnormal_exit
%% The message of a monitor that is flushed may be in the mailbox for a while, where a third can count it.
-module(flushed_message_is_seen_before).
-export([test/0]).

test() ->
    P = spawn(fun() ->
        {_, M} = spawn_monitor(fun() -> ok end),
        demonitor(M, [flush]),
        receive stop -> ok end
    end),
    {message_queue_len, N} = process_info(P, message_queue_len),
    P ! stop,
    case N of 0 -> ok; 1 -> exit(seen) end.
