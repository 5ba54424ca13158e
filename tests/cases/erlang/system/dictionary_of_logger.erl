%! run: dictionary_of_logger:test/0
%! verdict: error E0302
%% What the run-time system would do has no model: the run stops, and the program is not blamed.
-module(dictionary_of_logger).
-export([test/0]).
test() -> process_info(whereis(logger), dictionary).
