-module(guards).
f(X, Y) when is_integer(X), Y > 1; is_atom(X), not Y; X == <<"a">> -> ok;
f(X, _) when element(1, X) =:= a, tuple_size(X) > 1 andalso true -> no.
g(X) when (X > 1) or (X < 0), length([X]) == 1; X#{a => 1} == X -> X.
