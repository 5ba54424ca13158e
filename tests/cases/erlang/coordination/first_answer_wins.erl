%! run: first_answer_wins:test/0
%! verdict: holds
%% Two servers are asked; the first answer is used and the other is left alone.
-module(first_answer_wins).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Ref = make_ref(),
    [spawn(fun() -> Self ! {Ref, N} end) || N <- [1, 2]],
    receive {Ref, N} -> ?assert(N =:= 1 orelse N =:= 2) end.
