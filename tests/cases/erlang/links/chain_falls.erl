%! run: chain_falls:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 13, transitions = 12, depth = 12
%! stateless(optimal): holds, interleavings = 1
%% A chain of links: the reason runs from end to end.
-module(chain_falls).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    {A, Ref} = spawn_monitor(fun() ->
        spawn_link(fun() ->
            spawn_link(fun() -> exit(bye) end),
            receive never -> ok end
        end),
        receive never -> ok end
    end),
    receive {'DOWN', Ref, process, A, R} -> ?assertEqual(bye, R) end.
