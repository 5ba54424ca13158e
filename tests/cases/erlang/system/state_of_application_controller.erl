%! run: state_of_application_controller:test/0
%! verdict: error E0302
%% What the run-time system would do has no model: the run stops, and the program is not blamed.
-module(state_of_application_controller).
-export([test/0]).
test() -> sys:get_state(application_controller).
