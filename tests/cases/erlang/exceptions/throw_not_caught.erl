%! run: throw_not_caught:test/0
%! verdict: abnormal_exit
%% An uncaught throw is the error nocatch.
-module(throw_not_caught).
-export([test/0]).

test() ->
    spawn(fun() -> throw(ball) end).
