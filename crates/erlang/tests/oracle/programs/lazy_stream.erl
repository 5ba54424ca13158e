%% Infinite streams from closures.
-module(lazy_stream).
-export([main/0]).

main() ->
    p(take(5, naturals(1))),
    p(take(5, smap(fun(X) -> X * X end, naturals(1)))),
    p(take(10, primes())),
    p(take(10, fibs(0, 1))).

naturals(N) -> fun() -> [N | naturals(N + 1)] end.
smap(F, S) -> fun() -> [X | R] = S(), [F(X) | smap(F, R)] end.
sfilter(P, S) -> fun() -> [X | R] = S(), case P(X) of true -> [X | sfilter(P, R)]; false -> (sfilter(P, R))() end end.
sieve(S) -> fun() -> [P | R] = S(), [P | sieve(sfilter(fun(X) -> X rem P =/= 0 end, R))] end.
primes() -> sieve(naturals(2)).
fibs(A, B) -> fun() -> [A | fibs(B, A + B)] end.
take(0, _) -> [];
take(N, S) -> [X | R] = S(), [X | take(N - 1, R)].

p(X) -> io:format("~p~n", [X]).
