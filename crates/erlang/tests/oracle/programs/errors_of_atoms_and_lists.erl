-module(errors_of_atoms_and_lists).
-export([main/0]).

main() ->
    t(1, fun() -> atom_to_list(id(1)) end),
    t(2, fun() -> list_to_atom(id([a])) end),
    t(3, fun() -> list_to_atom(id([256 | x])) end),
    t(4, fun() -> list_to_existing_atom(id("never seen before really")) end),
    t(5, fun() -> atom_to_binary(id(1)) end),
    t(6, fun() -> binary_to_atom(id(<<255>>)) end),
    t(7, fun() -> length(id(a)) end),
    t(8, fun() -> length(id([a | b])) end),
    t(9, fun() -> hd(id([])) end),
    t(10, fun() -> tl(id([])) end),
    t(11, fun() -> id(a) ++ [b] end),
    t(12, fun() -> [a] ++ id(b) end),
    t(13, fun() -> [a] -- id(b) end),
    t(14, fun() -> id(a) -- [b] end),
    t(15, fun() -> lists:nth(id(0), [a]) end),
    t(16, fun() -> lists:nth(3, id([a])) end),
    t(17, fun() -> lists:sublist(id(a), 1) end),
    t(18, fun() -> lists:sublist([a | b], 1) end),
    t(19, fun() -> lists:sublist([a | b], 2) end),
    t(20, fun() -> lists:keyfind(a, id(0), []) end),
    t(21, fun() -> lists:keyfind(a, 1, [{a, 1} | b]) end),
    t(22, fun() -> lists:keyfind(b, 1, id([{a, 1} | b])) end),
    t(23, fun() -> lists:keymember(b, 1, id([{a, 1} | x])) end),
    t(24, fun() -> lists:keysearch(b, 1, id([{a, 1} | x])) end),
    t(25, fun() -> lists:member(x, id([a | b])) end),
    t(26, fun() -> lists:member(a, id([a | b])) end),
    t(27, fun() -> lists:reverse(id([a | b])) end),
    t(28, fun() -> lists:last(id([])) end),
    t(29, fun() -> lists:seq(1, id(-5)) end),
    t(30, fun() -> lists:seq(1, 5, id(0)) end),
    t(31, fun() -> lists:seq(5, 1, -1) end),
    t(32, fun() -> lists:nthtail(3, id([a])) end),
    t(33, fun() -> lists:split(3, id([a])) end),
    t(34, fun() -> lists:max(id([])) end),
    t(35, fun() -> lists:sum(id([a])) end),
    t(36, fun() -> lists:zip([a], id([])) end),
    t(37, fun() -> lists:append(id([a])) end),
    t(38, fun() -> lists:flatten(id([a | b])) end),
    t(39, fun() -> lists:droplast(id([])) end),
    t(40, fun() -> lists:foldl(x, 0, id([a])) end),
    t(41, fun() -> lists:map(fun(A) -> A end, id([a | b])) end),
    t(42, fun() -> lists:sort(id([a | b])) end),
    t(43, fun() -> lists:usort(id(x)) end),
    t(44, fun() -> lists:duplicate(id(-1), x) end),
    t(45, fun() -> lists:delete(x, id([a | b])) end),
    t(46, fun() -> lists:prefix("a", id(b)) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

id(X) -> X.
