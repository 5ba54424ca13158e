%! run: unlink_without_flush:test/0
%! verdict: assertion
%% The exit message may have come before unlink and is still in the mailbox.
-module(unlink_without_flush).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> ok end),
    unlink(P),
    self() ! mine,
    receive X -> ?assertEqual(mine, X) end.
