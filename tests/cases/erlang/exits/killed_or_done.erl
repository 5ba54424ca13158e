%! run: killed_or_done:test/0
%! verdict: holds
%! stateless(optimal): holds, interleavings = 5
%% Two signals for a process that has one thing to do: one of them comes before it, or between it and the end, or both come
%% too late. Five runs: either signal first at either place, where the other one does not matter, and too late.
-module(killed_or_done).
-export([test/0]).
-foresee_options([{treat_as_normal, killed}]).

test() ->
    ets:new(done, [named_table, public]),
    {Worker, Ref} = spawn_monitor(fun() -> ets:insert(done, {it, true}) end),
    [spawn(fun() -> exit(Worker, kill) end) || _ <- [1, 2]],
    receive {'DOWN', Ref, process, Worker, Reason} -> Reason end,
    true = Reason =:= killed orelse ets:member(done, it).
