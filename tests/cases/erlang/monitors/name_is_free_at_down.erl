%! run: name_is_free_at_down:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 13, transitions = 12, depth = 12
%! stateless(optimal): holds, interleavings = 1
%% When DOWN is seen the name is already free.
-module(name_is_free_at_down).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {P, Ref} = spawn_monitor(fun() -> receive go -> ok end end),
    register(worker, P),
    P ! go,
    receive {'DOWN', Ref, process, P, normal} -> ok end,
    ?assertEqual(undefined, whereis(worker)),
    true = register(worker, self()).
