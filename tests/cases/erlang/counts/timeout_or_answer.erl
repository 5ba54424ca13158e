%! run: timeout_or_answer:test/0
%! verdict: assertion
%! stateful(bfs): assertion, states = 5, transitions = 4, depth = 3
%! stateless(optimal): assertion, interleavings = 1
%% The answer may come too late.
-module(timeout_or_answer).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Main = self(),
    spawn(fun() -> Main ! answer end),
    ?assertEqual(answer, receive answer -> answer after 100 -> too_late end).
