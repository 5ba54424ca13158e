%! run: halt_in_a_callback:test/0
%! verdict: holds
%% A child decides that the work is done and ends the program with status zero.
-module(halt_in_a_callback).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> receive {result, 42} -> halt(0) end end) ! {result, 42},
    spawn(fun() -> Self ! tick end),
    receive never -> ok end.
