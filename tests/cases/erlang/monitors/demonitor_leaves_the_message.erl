%! run: demonitor_leaves_the_message:test/0
%! verdict: assertion
%% Without flush a DOWN that has already come stays in the mailbox.
-module(demonitor_leaves_the_message).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    demonitor(Ref),
    self() ! mine,
    receive X -> ?assertEqual(mine, X) end.
