%! run: stale_answer:test/0
%! verdict: assertion
%% After the timeout the first answer arrives late and is taken for the answer to the second question.
-module(stale_answer).
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
    Echo ! {self(), N},
    receive {answer, X} -> X after 100 -> timeout end.

echo(0) -> ok;
echo(K) -> receive {From, N} -> From ! {answer, N}, echo(K - 1) end.
