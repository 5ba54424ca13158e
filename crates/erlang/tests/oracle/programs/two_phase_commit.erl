%% A coordinator asks all, then tells all.
-module(two_phase_commit).
-export([main/0]).

main() ->
    p(transaction([yes, yes, yes])), p(transaction([yes, no, yes])).

transaction(Votes) ->
    Ps = [spawn_monitor(fun() -> participant(V) end) || V <- Votes],
    [P ! {prepare, self()} || {P, _} <- Ps],
    Answers = [receive {P, V} -> V end || {P, _} <- Ps],
    Decision = case lists:all(fun(V) -> V =:= yes end, Answers) of true -> commit; false -> abort end,
    [P ! Decision || {P, _} <- Ps],
    {Decision, [receive {'DOWN', M, _, _, R} -> R end || {_, M} <- Ps]}.

participant(Vote) ->
    receive {prepare, C} -> C ! {self(), Vote} end,
    receive D -> exit({D, Vote}) end.

p(X) -> io:format("~p~n", [X]).
