%! run: registered_lists_own:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 20, transitions = 26, depth = 8
%! stateless(optimal): holds, interleavings = 2
%% One's own name is certainly in the list.
-module(registered_lists_own).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    register(mine, self()),
    spawn(fun() -> try register(mine, self()) catch error:badarg -> ok end end),
    ?assert(lists:member(mine, registered())),
    unregister(mine).
