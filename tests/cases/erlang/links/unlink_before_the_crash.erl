%! run: unlink_before_the_crash:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 44, transitions = 86, depth = 12
%! stateless(optimal): holds, interleavings = 1
%% The link is gone before the child is told to go.
-module(unlink_before_the_crash).
-export([test/0]).
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    Self = self(),
    Middle = spawn(fun() ->
        Leaf = spawn_link(fun() -> receive go -> exit(bye) end end),
        unlink(Leaf),
        Leaf ! go,
        Self ! {alive, self()}
    end),
    receive {alive, Middle} -> ok end.
