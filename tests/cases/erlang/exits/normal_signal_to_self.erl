%! run: normal_signal_to_self:test/0
%! verdict: deadlock
%% exit(self(), normal) does end the caller, so the report is never sent.
-module(normal_signal_to_self).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> exit(self(), normal), Self ! survived end),
    receive survived -> ok end.
