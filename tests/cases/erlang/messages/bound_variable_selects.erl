%! run: bound_variable_selects:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 9, transitions = 10, depth = 6
%! stateless(optimal): holds, interleavings = 1
%% A bound variable in a pattern compares: the answer with the other reference stays in the mailbox.
-module(bound_variable_selects).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Old = make_ref(),
    New = make_ref(),
    spawn(fun() -> Self ! {Old, stale}, Self ! {New, fresh} end),
    Answer = receive {New, X} -> X end,
    ?assertEqual(fresh, Answer).
