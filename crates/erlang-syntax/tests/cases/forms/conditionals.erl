-module(conditionals).
-define(X, 3).
-ifdef(X).
a() -> yes.
-else.
a() -> no.
-endif.
-ifndef(X).
b() -> no.
-elif(?X > 2 andalso ?X rem 2 =:= 1).
b() -> odd.
-else.
b() -> even.
-endif.
-if(?OTP_RELEASE >= 21).
-if(defined(Y) orelse not defined(X)).
c() -> 1.
-elif(is_atom(?X)).
c() -> 2.
-else.
c() -> 3.
-endif.
-else.
c() -> bad @@@ text.
-endif.
-undef(X).
-ifdef(X).
d() -> no.
-endif.
-if(foo(1)).
e() -> 1.
-else.
e() -> 2.
-endif.
