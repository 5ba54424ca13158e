%! run: processes_lists_no_dead:test/0
%! verdict: holds
%% Who has told others of its end is in the list no more.
-module(processes_lists_no_dead).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {P, M} = spawn_monitor(fun() -> ets:new(t, [named_table]), register(p, self()) end),
    receive {'DOWN', M, process, P, normal} -> ok end,
    ?assertNot(lists:member(P, processes())).
