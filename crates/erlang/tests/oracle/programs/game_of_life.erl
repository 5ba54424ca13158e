%% A blinker and a glider on an unbounded board, cells in an ordset.
-module(game_of_life).
-export([main/0]).

main() ->
    B = ordsets:from_list([{0, 1}, {1, 1}, {2, 1}]),
    p(step(B)), p(step(step(B)) =:= B),
    G = ordsets:from_list([{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}]),
    p(lists:foldl(fun(_, C) -> step(C) end, G, lists:seq(1, 4))).

step(Cells) ->
    Near = [{X + DX, Y + DY} || {X, Y} <- Cells, DX <- [-1, 0, 1], DY <- [-1, 0, 1], {DX, DY} =/= {0, 0}],
    Counts = lists:foldl(fun(C, M) -> M#{C => maps:get(C, M, 0) + 1} end, #{}, Near),
    ordsets:from_list([C || {C, N} <- maps:to_list(Counts), N =:= 3 orelse (N =:= 2 andalso ordsets:is_element(C, Cells))]).

p(X) -> io:format("~p~n", [X]).
