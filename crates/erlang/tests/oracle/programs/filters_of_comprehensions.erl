-module(filters_of_comprehensions).
-export([main/0]).

main() ->
    t(1, fun() -> [X || X <- [1,2,3], X > 1] end),
    t(2, fun() -> [X || X <- [1,a,3], X > 2] end),
    t(3, fun() -> [X || X <- [1,a,3], X + 1 > 2] end),
    t(4, fun() -> [X || X <- [1,a,3], is_integer(X), X + 1 > 2] end),
    t(5, fun() -> [X || X <- [1,2], f(X)] end),
    t(6, fun() -> [X || X <- [1,2], g(X)] end),
    t(7, fun() -> [X || {X, true} <- [{1, true}, {2, false}, 3, {4, true}]] end),
    t(8, fun() -> [X || X <- [1,2], element(1, X)] end),
    t(9, fun() -> [X || X <- [1,2], begin Y = X > 1, Y end] end),
    t(10, fun() -> [X || X <- x] end),
    t(11, fun() -> [X || X <- [1 | x]] end),
    t(12, fun() -> [X || <<X>> <= <<1,2,3>>, X > 1] end),
    t(13, fun() -> << <<X>> || X <- [1,2,3], X =/= 2 >> end),
    t(14, fun() -> [X || X <- [1,2,3], X rem 2 =:= 1 orelse X =:= 2] end),
    t(15, fun() -> [{X, Y} || X <- [1,2], Y <- [a,b], X =:= 1] end),
    t(16, fun() -> [{X, Y} || X <- [1,2], X =:= 1, Y <- [a,b]] end),
    t(17, fun() -> [X || X <- [1,2], not is_integer(X)] end),
    t(18, fun() -> [X || X <- [1,2], hd(X)] end),
    t(19, fun() -> [X || X <- [[], [true]], hd(X)] end),
    t(20, fun() -> [X || <<X:3>> <= <<1,2>>] end),
    t(21, fun() -> << <<(X+1)>> || <<X>> <= <<1,2>> >> end),
    t(22, fun() -> [K || {K, V} <- maps:to_list(#{a => 1, b => 2}), V > 1] end),
    t(23, fun() -> [X || X <- [1,2], id(X) =:= 2] end),
    t(24, fun() -> [X || <<X/utf8>> <= <<"a\x{3b1}"/utf8>>] end),
    t(25, fun() -> [X || {ok, X} <- [{ok, 1}, error, {ok, 2}]] end),
    t(26, fun() -> [case X of 1 -> a; _ -> b end || X <- [1,2]] end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

f(X) -> X > 1.
g(X) -> X.
id(X) -> X.
