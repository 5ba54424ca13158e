%! run: flag_gives_the_old_value:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 6, transitions = 5, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% process_flag/2 gives back what was set before.
-module(flag_gives_the_old_value).
-export([test/0]).

test() ->
    false = process_flag(trap_exit, true),
    true = process_flag(trap_exit, true),
    true = process_flag(trap_exit, false),
    false = process_flag(trap_exit, false).
