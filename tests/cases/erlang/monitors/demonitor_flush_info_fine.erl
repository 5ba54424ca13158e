%! run: demonitor_flush_info_fine:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 13, transitions = 18, depth = 6
%! stateless(optimal): holds, interleavings = 2
%% flush with info: both answers possible, no message left after either.
-module(demonitor_flush_info_fine).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    Was = demonitor(Ref, [flush, info]),
    ?assert(is_boolean(Was)),
    receive {'DOWN', Ref, _, _, _} -> error(left) after 0 -> ok end.
