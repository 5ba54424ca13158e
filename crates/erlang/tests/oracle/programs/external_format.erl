%% Terms survive term_to_binary and back.
-module(external_format).
-export([main/0]).

main() ->
    Terms = [1, -1, 255, 256, -(1 bsl 31), 1 bsl 40, 1 bsl 100, 1.5, a, 'é', "str", [1 | 2], {}, {a, {b}}, <<>>, <<1, 2, 3>>,
             <<5:3>>, #{a => 1, b => #{}}, [], lists:seq(1, 300), list_to_tuple(lists:seq(1, 300)), fun lists:map/2],
    p([binary_to_term(term_to_binary(T)) =:= T || T <- Terms]),
    p(term_to_binary({ok, [1, 2]})),
    p(try binary_to_term(<<131, 255>>) catch error:E -> E end),
    p(is_pid(binary_to_term(term_to_binary(self())))).

p(X) -> io:format("~p~n", [X]).
