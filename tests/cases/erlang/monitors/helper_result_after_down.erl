%! run: helper_result_after_down:test/0
%! verdict: abnormal_exit
%% The result is sent by a helper of the worker, so the worker's DOWN may come first.
-module(helper_result_after_down).
-export([test/0]).

test() ->
    Self = self(),
    {P, Ref} = spawn_monitor(fun() -> spawn(fun() -> Self ! {result, 7} end) end),
    7 = receive
        {result, N} -> N;
        {'DOWN', Ref, process, P, Why} -> Why
    end.
