%! run: name_follows_the_process:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 9, transitions = 8, depth = 8
%! stateless(optimal): holds, interleavings = 1
%% The exit of its owner frees the name without anybody's help.
-module(name_follows_the_process).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {P, Ref} = spawn_monitor(fun() -> register(temp, self()) end),
    receive {'DOWN', Ref, process, P, normal} -> ok end,
    ?assertEqual(undefined, whereis(temp)).
