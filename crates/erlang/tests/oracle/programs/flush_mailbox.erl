%% Emptying the mailbox.
-module(flush_mailbox).
-export([main/0]).

main() ->
    [self() ! X || X <- lists:seq(1, 5)],
    p(process_info(self(), message_queue_len)),
    p(process_info(self(), messages)),
    p(flush(0)),
    p(process_info(self(), message_queue_len)).

flush(N) -> receive _ -> flush(N + 1) after 0 -> N end.

p(X) -> io:format("~p~n", [X]).
