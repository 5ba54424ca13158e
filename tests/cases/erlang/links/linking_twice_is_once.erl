%! run: linking_twice_is_once:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 19, transitions = 24, depth = 12
%! stateless(optimal): holds, interleavings = 1
%% Two link calls make one link, which one unlink removes.
-module(linking_twice_is_once).
-export([test/0]).
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    Self = self(),
    P = spawn(fun() -> receive go -> Self ! going, exit(bye) end end),
    true = link(P),
    true = link(P),
    true = unlink(P),
    P ! go,
    receive going -> ok end.
