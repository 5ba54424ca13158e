%! run: guard_failure_is_quiet:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 13, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% A guard that raises is false: the atom is skipped without an error and the list is taken.
-module(guard_failure_is_quiet).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! atom, Self ! [1] end),
    receive L when hd(L) =:= 1 -> ok end,
    receive atom -> ok end.
