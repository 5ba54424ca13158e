%! run: nested_timeouts:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 20, transitions = 30, depth = 7
%! stateless(optimal): holds, interleavings = 4
%% A timeout inside the clause of another receive; every way through ends.
-module(nested_timeouts).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! a, Self ! b end),
    receive
        a -> receive b -> ok after 5 -> ok end
    after 5 ->
        receive b -> ok after 5 -> ok end
    end.
