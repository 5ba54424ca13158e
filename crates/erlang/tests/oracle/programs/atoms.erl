%% Atoms: quoting, conversion, order, length.
-module(atoms).
-export([main/0]).

main() ->
    p([a, 'B', 'c d', 'e-f', '', '1a', a1, 'a@b', '_x', 'é', 'don\'t', 'new\nline', true, 'after', 'receive']),
    io:format("~w ~s ~p~n", ['Quoted', 'Quoted', 'Quoted']),
    p(atom_to_list('hello world')), p(list_to_atom("x y")), p(binary_to_atom(<<"Z">>, utf8)),
    p(lists:sort([b, 'A', a, 'a b', ''])),
    p(list_to_existing_atom("true")),
    p(try list_to_atom(lists:duplicate(256, $a)) catch error:E -> E end).

p(X) -> io:format("~p~n", [X]).
