-module(types).
-export_type([t/0, u/1, o/0]).
-type t() :: integer() | atom() | 1..10 | -1 | $a | {} | {t, u(A :: any())}.
-type u(A) :: [A] | [A, ...] | [] | #{A => t(), key := [A]} | #{} | map() | tuple().
-opaque o() :: fun() | fun((...) -> ok) | fun((t(), u(t())) -> any()) | fun(() -> none()).
-type b() :: <<>> | <<_:8>> | <<_:_*4>> | <<_:8, _:_*16>> | binary().
-type r() :: #rec{} | #rec{a :: integer(), b :: t()} | lists:list(t()) | (a | b).
-type n() :: 1 bsl 3 | (2 + 3) * 4 | -(1)..(1 bsl 8 - 1).
-record(rec, {a = 0 :: integer(), b}).
-spec f(X, Y) -> Z when X :: t(), Y :: [X], Z :: {X, Y}; (atom(), any()) -> no_return().
f(X, Y) -> {X, Y}.
-spec types:g() -> ok.
g() -> ok.
-spec h(A :: integer(), _) -> A | B when is_subtype(B, term()).
h(A, _) -> A.
-callback handle(Msg :: term()) -> {ok, State :: term()} | ignore.
-optional_callbacks([handle/1]).
