%! run: loser_is_not_told:test/0
%! verdict: deadlock
%% Only the king is told to go; the loser waits for ever.
-module(loser_is_not_told).
-export([test/0]).

test() ->
    [spawn(fun() ->
        try register(king, self()) catch error:badarg -> false end,
        Self ! crowned,
        receive abdicate -> ok end
    end) || Self <- [self(), self()]],
    receive crowned -> ok end,
    receive crowned -> ok end,
    king ! abdicate.
