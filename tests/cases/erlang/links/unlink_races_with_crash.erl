%! run: unlink_races_with_crash:test/0
%! verdict: deadlock
%% The leaf may end, and take the middle process along, before the link is removed.
-module(unlink_races_with_crash).
-export([test/0]).
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    Self = self(),
    Middle = spawn(fun() ->
        Leaf = spawn_link(fun() -> exit(bye) end),
        unlink(Leaf),
        Self ! {alive, self()}
    end),
    receive {alive, Middle} -> ok end.
