%! run: request_against_timer:test/0
%! verdict: abnormal_exit
%% An answer and a timer race; the timer may win.
-module(request_against_timer).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! answer end),
    Ref = erlang:start_timer(1000, Self, deadline),
    receive
        answer -> erlang:cancel_timer(Ref);
        {timeout, Ref, deadline} -> exit(deadline)
    end.
