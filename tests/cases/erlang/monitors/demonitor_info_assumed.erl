%! run: demonitor_info_assumed:test/0
%! verdict: assertion
%% info says whether the monitor was still there; the process may already have ended.
-module(demonitor_info_assumed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {_, Ref} = spawn_monitor(fun() -> ok end),
    ?assertEqual(true, demonitor(Ref, [info])).
