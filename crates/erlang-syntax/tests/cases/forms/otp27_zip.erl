-module(otp27_zip).
f(A, B, C) ->
    [{X, Y} || X <- A && Y <- B, X < Y],
    [X || {ok, X} <:- A],
    << <<X>> || <<X>> <:= C >>,
    [X || K := X <:- B].
