%! run: link_to_the_dead_trapped:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 12, transitions = 12, depth = 7
%! stateless(optimal): holds, interleavings = 2
%% A trapping process sees either the reason or noproc, and both are handled.
-module(link_to_the_dead_trapped).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    process_flag(trap_exit, true),
    P = spawn(fun() -> ok end),
    link(P),
    receive {'EXIT', P, R} -> ?assert(R =:= normal orelse R =:= noproc) end.
