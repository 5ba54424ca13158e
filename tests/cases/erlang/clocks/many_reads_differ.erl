%! run: many_reads_differ:test/0
%! verdict: holds
%% Twenty reads in a row are twenty times.
-module(many_reads_differ).
-export([test/0]).
test() ->
    20 = length(lists:usort([os:perf_counter() || _ <- lists:seq(1, 20)])).
