%! run: shutdown_is_abnormal:test/0
%! verdict: abnormal_exit
%% Unless asked for, shutdown is a reason like any other.
-module(shutdown_is_abnormal).
-export([test/0]).

test() ->
    spawn(fun() -> exit(shutdown) end).
