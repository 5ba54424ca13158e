%! run: signal_and_message_in_order:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 15, transitions = 18, depth = 10
%! stateless(optimal): holds, interleavings = 1
%% For a trapping process the signal and the message of one sender keep their order.
-module(signal_and_message_in_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    P = spawn(fun() ->
        process_flag(trap_exit, true),
        Self ! ready,
        A = receive X -> X end,
        B = receive Y -> Y end,
        ?assertEqual([{'EXIT', Self, bye}, hello], [A, B])
    end),
    receive ready -> ok end,
    exit(P, bye),
    P ! hello.
