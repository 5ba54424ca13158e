%! run: counters_bad_index:test/0
%! verdict: abnormal_exit
%% An index outside of the array is badarg.
-module(counters_bad_index).
-export([test/0]).

test() ->
    C = counters:new(2, []),
    counters:add(C, 3, 1).
