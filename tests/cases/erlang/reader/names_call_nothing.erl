%! run: names_call_nothing:test/0
%! verdict: holds
%% `start` is the name of a function that is not modelled here; that the test has the atom does not call it.
-module(names_call_nothing).
-export([test/0, start/0, prop/0]).

test() -> {start, ok}.
start() -> peer:start_link(1).
prop() -> start().
