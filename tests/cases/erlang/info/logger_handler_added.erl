%! run: logger_handler_added:test/0
%! verdict: error E0302
%% A handler would be called for every report, those of the run-time system included: not modelled, and said.
-module(logger_handler_added).
-export([test/0]).
test() -> logger:add_handler(h, ?MODULE, #{}), logger:error("hello").
