%! run: down_tells_the_reason:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 6, transitions = 5, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% spawn_monitor cannot miss the end: the reason is the real one.
-module(down_tells_the_reason).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    {P, Ref} = spawn_monitor(fun() -> exit(bye) end),
    receive {'DOWN', Ref, process, P, R} -> ?assertEqual(bye, R) end.
