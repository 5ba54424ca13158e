%! run: gives_up_before_down:test/0
%! verdict: assertion
%! stateless(optimal): assertion, interleavings = 2
%% The watcher looks whether the other has ended, and then takes the monitor back with a flush. That hides whether DOWN
%% came in between, not that it may have come before: then the watcher knows, and says so.
-module(gives_up_before_down).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    Known = receive {'DOWN', Ref, process, _, _} -> true after 0 -> false end,
    demonitor(Ref, [flush]),
    receive {'DOWN', Ref, process, _, _} -> exit(flushed_in_vain) after 0 -> ok end,
    ?assertNot(Known).
