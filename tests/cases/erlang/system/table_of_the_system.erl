%! run: table_of_the_system:test/0
%! verdict: error E0302
%% What the run-time system would do has no model: the run stops, and the program is not blamed.
-module(table_of_the_system).
-export([test/0]).
test() -> ets:tab2list(ac_tab).
