%! run: own_kill_is_a_plain_reason:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 7, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% exit(kill) raised by a process itself spreads as the plain reason kill, which can be trapped.
-module(own_kill_is_a_plain_reason).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, kill}]).

test() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> exit(kill) end),
    receive {'EXIT', P, R} -> ?assertEqual(kill, R) end.
