%! run: spawn_function_of_module:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 9, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% spawn/3 calls an exported function with the arguments given.
-module(spawn_function_of_module).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-export([child/2]).

test() ->
    spawn(?MODULE, child, [self(), 7]),
    receive {got, N} -> ?assertEqual(7, N) end.

child(Parent, N) ->
    Parent ! {got, N}.
