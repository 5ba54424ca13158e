-module(maybe_on).
-feature(maybe_expr, enable).
f(X) ->
    maybe
        {ok, A} ?= X,
        B = A + 1,
        {ok, C} ?= g(B),
        C
    else
        {error, R} when R > 1 -> R;
        _ -> 'maybe'
    end.
g(X) -> maybe X end.
