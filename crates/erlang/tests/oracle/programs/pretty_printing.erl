%% How ~p breaks long terms over lines.
-module(pretty_printing).
-export([main/0]).

main() ->
    p(lists:seq(1, 50)),
    p([{key, N, "value " ++ integer_to_list(N)} || N <- lists:seq(1, 6)]),
    p(#{name => "a rather long name for a map", list => lists:seq(1, 20), nested => #{a => 1, b => {x, y, z}}}),
    p({a, [b, {c, [d, {e, [f, {g, lists:seq(1, 15)}]}]}]}),
    p(["short", "strings", "in a list", "that is long enough to need more than one line of text"]),
    p([[], {}, #{}, <<>>, "", [[]]]),
    p({'an atom with spaces', 'UPPER', lower, '$special', 'a@b', "str\ting", $a}),
    p([1.0, 1.5e300, -2.5e-10, 0.1, 100000.0, 1.0e16, 123456789.123]),
    io:format("~w~n", [{a, "xy", <<"z">>, #{k => "v"}, 'B'}]),
    io:format("~P ~W~n", [lists:seq(1, 20), 6, {a, {b, {c, d}}}, 3]),
    p(list_to_tuple(lists:seq(1, 40))),
    p(<<1, 2, 3, 200>>), p(<<"text">>), p(<<3:5>>), p([<<"a">>, <<"b">>]).

p(X) -> io:format("~p~n", [X]).
