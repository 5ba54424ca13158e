%% Written by foresee from a trace of kings:test/0: abnormal_exit.
%%   <P.1> exited abnormally: badarg
%%   in register(king,<P.1>) in kings:crown/0 at kings.erl:6: <P.2> is registered as king already
%% The test fails while this run shows the violation and passes when it is gone. Run it where the source files are found:
%% `eunit:test(MODULE)`, or as one of a project's tests.
%%
%% The schedule. A step marked with | is held back until its turn; the others follow by themselves, inside the library or
%% where a process ends, and are not forced; a timer or a timeout inside the library fires in its own time.
%% |   1  <P> spawn(#Fun<kings.test-fun-0>) = <P.1>  [kings.erl:3]
%% |   2  <P> spawn(#Fun<kings.test-fun-0>) = <P.2>  [kings.erl:3]
%% |   3  <P.2> whereis(king) = undefined  [kings.erl:5]
%% |   4  <P.1> whereis(king) = undefined  [kings.erl:5]
%% |   5  <P.2> register(king,<P.2>)  [kings.erl:6]
%% |   6  <P.1> register(king,<P.1>) raised badarg: <P.2> is registered as king already; nobody caught it  [kings.erl:6]
%%     7  <P.1> exit badarg
-module(kings_foresee_test).
-export([schedule_test_/0, gate/1, gate/2, parse_transform/2]).

entry() -> {kings, test}.

sources() -> ["kings.erl"].

compiler_options() -> [].

%% Process, kind of operation, number of the step.
schedule() ->
    [{[], spawn, 1},
     {[], spawn, 2},
     {[2], whereis, 3},
     {[1], whereis, 4},
     {[2], register, 5},
     {[1], register, 6}].

schedule_test_() ->
    {timeout, 60, fun() ->
         #{failed := Failed} = run(),
         case Failed of
             [] -> ok;
             [{Path, Reason} | _] -> erlang:error({abnormal_exit, Path, Reason})
         end
     end}.

