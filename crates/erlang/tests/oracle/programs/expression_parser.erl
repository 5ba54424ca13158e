%% A recursive-descent calculator over characters.
-module(expression_parser).
-export([main/0]).

main() ->
    [io:format("~s = ~p~n", [S, eval(S)]) || S <- ["1+2*3", "(1+2)*3", "10-4-3", "2*(3+4)*5", "8/2", "1+", "(1"]].

eval(S) ->
    try
        {V, []} = expr(S),
        V
    catch
        error:{badmatch, {_, Rest}} -> {extra, Rest};
        throw:T -> {error, T}
    end.

expr(S) -> {V, R} = term(S), expr(V, R).

expr(V, [$+ | R]) -> {W, R2} = term(R), expr(V + W, R2);
expr(V, [$- | R]) -> {W, R2} = term(R), expr(V - W, R2);
expr(V, R) -> {V, R}.

term(S) -> {V, R} = factor(S), term(V, R).

term(V, [$* | R]) -> {W, R2} = factor(R), term(V * W, R2);
term(V, [$/ | R]) -> {W, R2} = factor(R), term(V div W, R2);
term(V, R) -> {V, R}.

factor([$( | R]) ->
    case expr(R) of
        {V, [$) | R2]} -> {V, R2};
        _ -> throw(missing_parenthesis)
    end;
factor([D | _] = S) when D >= $0, D =< $9 ->
    {Digits, R} = lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, S),
    {list_to_integer(Digits), R};
factor(_) -> throw(number_expected).
