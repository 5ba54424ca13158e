%! run: call_to_nobody:test/0
%! verdict: abnormal_exit
%% A call to a name nobody has exits with noproc.
-module(call_to_nobody).
-export([test/0]).

test() ->
    gen_server:call(nobody_here, hello, infinity).
