%! run: spawn_monitor_two_failures:test/0
%! verdict: assertion
%% Two monitored workers fail for two reasons in any order.
-module(spawn_monitor_two_failures).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, bye}, {treat_as_normal, quit}]).

test() ->
    [spawn_monitor(fun() -> exit(R) end) || R <- [bye, quit]],
    L = [receive {'DOWN', _, process, _, R} -> R end || _ <- [1, 2]],
    ?assertEqual([bye, quit], L).
