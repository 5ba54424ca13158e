-module(mac).
-define(A(X, Y), {X, Y, ?LINE}).
-define(B, ?A(1, ?A(2, 3))).
-define(S(X), ??X).
-undef(C).
-ifndef(D).
h() -> {?B, ?S(a + b), ?MODULE, ?FUNCTION_NAME}.
-else.
h() -> -error("no").
-endif.
