%! run: watcher_sees_killer_late:test/0
%! verdict: assertion
%% The victim's monitor tells of the kill, but the reason is killed and not kill.
-module(watcher_sees_killer_late).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    {P, Ref} = spawn_monitor(fun() -> receive never -> ok end end),
    exit(P, kill),
    receive {'DOWN', Ref, process, P, R} -> ?assertEqual(kill, R) end.
