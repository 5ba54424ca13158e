-module(tables).
-export([main/0]).

main() ->
    Owner = self(),
    T = ets:new(words, [ordered_set, public]),
    Workers = [spawn_monitor(fun() -> count(T, Text) end)
               || Text <- ["the quick brown fox", "the lazy dog", "quick quick"]],
    [receive {'DOWN', M, process, P, normal} -> ok end || {P, M} <- Workers],
    io:format("~p~n", [ets:tab2list(T)]),
    Heir = spawn(fun() -> heir(Owner) end),
    {P, M} = spawn_monitor(fun() ->
        U = ets:new(left, [named_table, {heir, Heir, inherited}]),
        ets:insert(U, {key, value}),
        receive stop -> ok end
    end),
    P ! stop,
    receive {'DOWN', M, process, P, normal} -> ok end,
    receive {heir_has, Objects} -> io:format("~p~n", [Objects]) end.

count(T, Text) ->
    [ets:update_counter(T, W, 1, {W, 0}) || W <- words(Text, [])].

words([], []) -> [];
words([], W) -> [list_to_atom(lists:reverse(W))];
words([$\s | T], W) -> [list_to_atom(lists:reverse(W)) | words(T, [])];
words([C | T], W) -> words(T, [C | W]).

heir(Owner) ->
    receive {'ETS-TRANSFER', T, _, inherited} -> Owner ! {heir_has, ets:tab2list(T)} end.
