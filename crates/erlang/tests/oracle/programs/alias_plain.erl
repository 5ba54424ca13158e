-module(alias_plain).
-export([main/0]).

main() ->
    t(1, fun() -> begin A = alias(), A ! one, A ! two, flush() end end),
    t(2, fun() -> begin A = alias([reply]), A ! one, A ! two, flush() end end),
    t(3, fun() -> begin A = alias([explicit_unalias]), A ! one, A ! two, flush() end end),
    t(4, fun() -> begin A = alias(), true = unalias(A), A ! one, flush() end end),
    t(5, fun() -> begin A = alias(), true = unalias(A), unalias(A) end end),
    t(6, fun() -> unalias(make_ref()) end),
    t(7, fun() -> alias([nonsense]) end),
    t(8, fun() -> alias(bad) end),
    t(9, fun() -> unalias(bad) end),
    t(10, fun() -> begin A = alias([reply]), A ! one, R = flush(), {R, unalias(A)} end end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).


flush() -> receive M -> [M | flush()] after 0 -> [] end.
