%! run: halt_with_a_status:test/0
%! verdict: abnormal_halt
%% A status other than zero says that something went wrong.
-module(halt_with_a_status).
-export([test/0]).

test() ->
    halt(1).
