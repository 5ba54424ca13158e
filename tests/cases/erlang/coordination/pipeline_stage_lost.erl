%! run: pipeline_stage_lost:test/0
%! verdict: deadlock
%% A stage that does not pass the stop on leaves the stages after it waiting.
-module(pipeline_stage_lost).
-export([test/0]).

test() ->
    Self = self(),
    Last = spawn(fun() -> stage(Self) end),
    First = spawn(fun() -> receive 1 -> Last ! 1 end, receive stop -> ok end end),
    First ! 1,
    First ! stop,
    receive 1 -> ok end.

stage(Next) ->
    receive stop -> ok; N -> Next ! N, stage(Next) end.
