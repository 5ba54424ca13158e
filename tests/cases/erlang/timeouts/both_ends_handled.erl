%! run: both_ends_handled:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 10, transitions = 13, depth = 5
%! stateless(optimal): holds, interleavings = 2
%% Message or timeout: both ways out are fine.
-module(both_ends_handled).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    R = receive hello -> got after 10 -> gave_up end,
    ?assert(lists:member(R, [got, gave_up])).
