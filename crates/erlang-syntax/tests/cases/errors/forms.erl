-module(forms).
-export(f).
-export([f, g/1, 3]).
-import(lists, map).
-record(r, [a]).
-record(s, {a, b,}).
-type t :: integer().
-type u() = integer().
-spec f(integer) > ok.
-spec g(X) -> X when X : integer().
-module(again).
Foo() -> 1.
case(X) -> X.
f -> ok.
g(X) when X, -> X.
h(X) = X.
i(X) => X.
j() -> <<1:8/interger, 2/signed-unsigned, 3/unit:0>>.
k() -> fun X -> X end.
l() -> try a catch error:X:y -> X end.
m() -> #r{a, b}.
n() -> [X || ].
o() -> case 1 do 2 -> 3 end.
p() -> f(a b).
q() -> {a, b]}.
r() -> (1 + ).
s() -> 1 +* 2.
t() -> if true -> end.
u() -> "a" ++ 'b.
v() -> $\x{zz}.
w() -> [1, 2, | 3].
x() -> #{a => 1, }.
y(A) -> A && true || false.
z() -> receive after -> 1 end.
