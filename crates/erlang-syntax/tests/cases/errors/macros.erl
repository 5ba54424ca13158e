-module(macros).
-include("nowhere/such.hrl").
-define(ADD(A, B), A + B).
-define(BROKEN(X), {X, ).
-define(LOOP, [?LOOP]).
-define(ADD(X, Y), twice).
-define(MODULE, mine).
-define(OUTER(X), ?BROKEN(X)).
-define(
f() -> ?ADD(1).
g() -> ?ADD.
h() -> ?OUTER(1).
i() -> ?LOOP.
j() -> ?.
k() -> ??x.
-else.
-if(1 +).
-endif.
-ifdef(FOO).
-else.
-else.
-endif.
-error("stop here").
-warning({old, "thing"}).
l() -> ?ADD(1, 2.
-ifdef(NEVER).
m() -> ok.
