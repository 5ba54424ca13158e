%! run: demonitor_with_flush:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 16, transitions = 23, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% With flush no DOWN is left, whatever the order.
-module(demonitor_with_flush).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref, [flush]),
    self() ! mine,
    receive X -> ?assertEqual(mine, X) end.
