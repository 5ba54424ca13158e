%% persistent_term: put, get, erase.
-module(persistent_terms).
-export([main/0]).

main() ->
    p(persistent_term:put({?MODULE, key}, value)),
    p(persistent_term:get({?MODULE, key})),
    p(persistent_term:get({?MODULE, nokey}, default)),
    p(try persistent_term:get({?MODULE, nokey}) catch error:E -> E end),
    p(persistent_term:erase({?MODULE, key})),
    p(persistent_term:erase({?MODULE, key})).

p(X) -> io:format("~p~n", [X]).
