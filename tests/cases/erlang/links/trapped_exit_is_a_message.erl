%! run: trapped_exit_is_a_message:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 7, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% A parent that traps exits gets the reason as a message.
-module(trapped_exit_is_a_message).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(bye) end),
    receive {'EXIT', P, R} -> ?assertEqual(bye, R) end.
