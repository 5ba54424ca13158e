%% The ring algorithm of Chang and Roberts.
-module(leader_election).
-export([main/0]).

main() ->
    Ids = [3, 7, 1, 9, 4],
    Self = self(),
    Ps = [spawn(fun() -> receive {next, N} -> N ! {candidate, Id}, elect(Id, N, Self) end end) || Id <- Ids],
    [P ! {next, N} || {P, N} <- lists:zip(Ps, tl(Ps) ++ [hd(Ps)])],
    p(lists:sort([receive {leader, Id, L} -> {Id, L} end || _ <- Ids])).

elect(Id, Next, Main) ->
    receive
        {candidate, C} when C > Id -> Next ! {candidate, C}, elect(Id, Next, Main);
        {candidate, C} when C < Id -> elect(Id, Next, Main);
        {candidate, Id} -> Next ! {elected, Id}, elect(Id, Next, Main);
        {elected, Id} -> Main ! {leader, Id, Id};
        {elected, L} -> Next ! {elected, L}, Main ! {leader, Id, L}
    end.

p(X) -> io:format("~p~n", [X]).
