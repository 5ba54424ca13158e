-module(compressed_terms).
-export([main/0]).

%% What Erlang has compressed can be read.
main() ->
    Packed = <<131,80,0,0,1,120,120,156,203,96,202,97,96,96,176,73,97,96,78,76,74,30,37,105,77,102,229,2,67,155,185,
               162,178,10,0,83,66,96,100>>,
    {Atoms, Rest} = binary_to_term(Packed),
    io:format("~p ~p ~p~n", [length(Atoms), lists:usort(Atoms), Rest]),
    io:format("~p~n", [element(1, binary_to_term(Packed, [safe])) =:= Atoms]),
    io:format("~p~n", [try binary_to_term(binary:part(Packed, 0, 30)) catch error:E -> E end]),
    io:format("~p~n", [try binary_to_term(<<131,80,0,0,0,9,1,2,3>>) catch error:F -> F end]).
