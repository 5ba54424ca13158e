%! run: send_after_the_end:test/0
%! verdict: abnormal_exit
%% The owner of the name may have ended: its name is gone, and sending to it fails.
-module(send_after_the_end).
-export([test/0]).

test() ->
    register(brief, spawn(fun() -> ok end)),
    brief ! hello.
