%! run: halt_with_a_slogan:test/0
%! verdict: abnormal_halt
%% halt with a text is a crash of the whole node.
-module(halt_with_a_slogan).
-export([test/0]).

test() ->
    halt("out of luck").
