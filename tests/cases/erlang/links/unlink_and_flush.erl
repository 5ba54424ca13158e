%! run: unlink_and_flush:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 24, transitions = 35, depth = 10
%! stateless(optimal): holds, interleavings = 2
%% After unlink an exit message can only be one that came before; taking it out leaves none.
-module(unlink_and_flush).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> ok end),
    unlink(P),
    receive {'EXIT', P, _} -> ok after 0 -> ok end,
    self() ! mine,
    receive X -> ?assertEqual(mine, X) end.
