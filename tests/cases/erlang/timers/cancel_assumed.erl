%! run: cancel_assumed:test/0
%! verdict: abnormal_exit
%% cancel_timer gives false when the timer has fired.
-module(cancel_assumed).
-export([test/0]).

test() ->
    Ref = erlang:send_after(10, self(), tick),
    Left = erlang:cancel_timer(Ref),
    true = is_integer(Left).
