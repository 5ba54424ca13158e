%! run: stale_answer_recognised:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 31, transitions = 47, depth = 11
%! stateless(optimal): holds, interleavings = 4
%% A fresh reference for each question: late answers to older ones are never mistaken.
-module(stale_answer_recognised).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Echo = spawn(fun() -> echo(2) end),
    ask(Echo, 1),
    case ask(Echo, 2) of
        timeout -> ok;
        N -> ?assertEqual(2, N)
    end.

ask(Echo, N) ->
    Ref = make_ref(),
    Echo ! {self(), Ref, N},
    receive {Ref, X} -> X after 100 -> timeout end.

echo(0) -> ok;
echo(K) -> receive {From, Ref, N} -> From ! {Ref, N}, echo(K - 1) end.
