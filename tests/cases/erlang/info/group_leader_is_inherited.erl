%! run: group_leader_is_inherited:test/0
%! verdict: holds
%% A child has the group leader its parent had when it was spawned.
-module(group_leader_is_inherited).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Old = group_leader(),
    Leader = spawn(fun() -> receive stop -> ok end end),
    group_leader(Leader, Self),
    spawn(fun() -> Self ! {leader, group_leader()} end),
    receive {leader, L} -> ?assertEqual(Leader, L) end,
    group_leader(Old, Self),
    Leader ! stop.
