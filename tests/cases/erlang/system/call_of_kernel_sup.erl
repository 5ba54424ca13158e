%! run: call_of_kernel_sup:test/0
%! verdict: error E0302
%% What the run-time system would do has no model: the run stops, and the program is not blamed.
-module(call_of_kernel_sup).
-export([test/0]).
test() -> supervisor:which_children(kernel_sup).
