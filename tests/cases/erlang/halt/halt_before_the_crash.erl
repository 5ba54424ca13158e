%! run: halt_before_the_crash:test/0
%! verdict: abnormal_exit
%% The child's failure may come before the program is ended.
-module(halt_before_the_crash).
-export([test/0]).

test() ->
    spawn(fun() -> exit(failed) end),
    halt(0).
