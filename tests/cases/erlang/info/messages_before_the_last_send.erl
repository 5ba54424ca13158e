%! run: messages_before_the_last_send:test/0
%! verdict: abnormal_exit
%% A message that nobody will take can be counted while the process has yet to send its own.
-module(messages_before_the_last_send).
-export([test/0]).

test() ->
    R = self(),
    P1 = spawn(fun() -> receive {go, P} -> P ! m1 end end),
    P2 = spawn(fun() -> receive go -> P1 ! m1 end end),
    P3 = spawn(fun() ->
        receive go -> ok end,
        A = process_info(P2, registered_name),
        B = process_info(P1, message_queue_len),
        R ! {A, B}
    end),
    P1 ! {go, P3},
    P2 ! go,
    P3 ! go,
    receive
        {undefined, {message_queue_len, 1}} -> exit(seen);
        _ -> ok
    end.
