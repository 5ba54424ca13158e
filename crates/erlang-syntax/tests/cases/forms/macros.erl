-module(macros).
-define(A, 1).
-define(B(X), {X, ?A}).
-define(B(X, Y), [X | Y]).
-define(EMPTY, ).
-define(STR(X), ??X).
-define(CALL(F, Args), F Args).
-define(NOARGS(), none).
-define(CURRENT, {?FUNCTION_NAME, ?FUNCTION_ARITY}).
-define('quoted name', q).
-define(COMMA, a, b).
-define(name, ?A).
f(X) ->
    ?A, ?B(1), ?B(1, [2]), ?B({a, b}), ?B(fun(Y) -> Y end),
    ?STR(foo(X, "s", $a, 'b c') + 1.5), ?CALL(f, (1)), ?NOARGS(),
    ?CURRENT, ?MODULE, ?MODULE_STRING, ?LINE, ?MACHINE, {?EMPTY},
    ?'quoted name', {?COMMA}, ?name, ?B(?B(?A)),
    ?B(case X of 1 -> a; _ -> {b, c} end, []).
