%! run: messages_past_the_last_receive:test/0
%! verdict: abnormal_exit
%% Two others: one has sent and ended, or has sent and not; the one it sent to is past its last receive and not yet gone.
-module(messages_past_the_last_receive).
-export([test/0]).

test() ->
    R = self(),
    P1 = spawn(fun() -> receive go -> ok end end),
    P2 = spawn(fun() -> receive go -> P1 ! m1 end end),
    P3 = spawn(fun() ->
        receive go -> ok end,
        A = process_info(P2, registered_name),
        B = process_info(P1, message_queue_len),
        R ! {A, B}
    end),
    P1 ! go,
    P2 ! go,
    P3 ! go,
    receive
        {undefined, {message_queue_len, 1}} -> exit(seen);
        _ -> ok
    end.
