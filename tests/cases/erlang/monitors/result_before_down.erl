%! run: result_before_down:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 14, transitions = 19, depth = 7
%! stateless(optimal): holds, interleavings = 1
%% What a worker sends before its end arrives before its DOWN.
-module(result_before_down).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    {P, Ref} = spawn_monitor(fun() -> Self ! {result, 7} end),
    R = receive
        {result, N} -> N;
        {'DOWN', Ref, process, P, _} -> none
    end,
    ?assertEqual(7, R),
    demonitor(Ref, [flush]).
