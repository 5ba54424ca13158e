%! run: exchange_pids:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 51, transitions = 87, depth = 17
%! stateless(optimal): holds, interleavings = 1
%% Two children learn of each other from the parent and talk directly.
-module(exchange_pids).
-export([test/0]).

test() ->
    Self = self(),
    [A, B] = [spawn(fun() -> friend(Self) end) || _ <- [1, 2]],
    A ! {meet, B},
    B ! {meet, A},
    [receive {met, P} -> ok end || P <- [A, B]].

friend(Parent) ->
    receive {meet, Other} ->
        Other ! {hello, self()},
        receive {hello, Other} -> Parent ! {met, self()} end
    end.
