%! run: exchange_in_turn:test/0
%! verdict: deadlock
%% Each friend waits for a hello before saying one.
-module(exchange_in_turn).
-export([test/0]).

test() ->
    Self = self(),
    [A, B] = [spawn(fun() -> friend(Self) end) || _ <- [1, 2]],
    A ! {meet, B},
    B ! {meet, A},
    [receive {met, P} -> ok end || P <- [A, B]].

friend(Parent) ->
    receive {meet, Other} ->
        receive {hello, Other} -> Parent ! {met, self()} end,
        Other ! {hello, self()}
    end.
