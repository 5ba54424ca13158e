%! run: link_to_init:test/0
%! verdict: error E0302
%% What the run-time system would do has no model: the run stops, and the program is not blamed.
-module(link_to_init).
-export([test/0]).
test() -> link(whereis(init)).
