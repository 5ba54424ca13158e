%! run: unregister_user:test/0
%! verdict: error E0302
%% What the run-time system would do has no model: the run stops, and the program is not blamed.
-module(unregister_user).
-export([test/0]).
test() -> unregister(user).
