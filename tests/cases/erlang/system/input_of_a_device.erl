%! run: input_of_a_device:test/0
%! verdict: error E0302
%% What the run-time system would do has no model: the run stops, and the program is not blamed.
-module(input_of_a_device).
-export([test/0]).
test() -> group_leader() ! {io_request, self(), r, {get_line, unicode, ""}}, receive X -> X end.
