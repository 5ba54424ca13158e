%! run: call_of_code_server:test/0
%! verdict: error E0302
%% What the run-time system would do has no model: the run stops, and the program is not blamed.
-module(call_of_code_server).
-export([test/0]).
test() -> gen_server:call(code_server, x).
