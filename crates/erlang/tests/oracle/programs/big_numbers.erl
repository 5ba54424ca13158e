%% Factorials, powers, gcd and Fibonacci numbers beyond a machine word.
-module(big_numbers).
-export([main/0]).

main() ->
    p(fact(50)),
    p(pow(7, 77)),
    p(gcd(fact(20), pow(2, 70))),
    p(fib(200)),
    p(pow(2, 128) rem 1000000007),
    p(integer_to_list(pow(2, 100), 16)),
    p(list_to_integer("123456789012345678901234567890") * -1),
    p(-pow(2, 64) div 3), p(-pow(2, 64) rem 3),
    p(pow(2, 64) bsr 60), p(pow(2, 64) bxor (pow(2, 64) - 1)).

fact(0) -> 1;
fact(N) -> N * fact(N - 1).

pow(_, 0) -> 1;
pow(X, N) -> X * pow(X, N - 1).

gcd(A, 0) -> A;
gcd(A, B) -> gcd(B, A rem B).

fib(N) -> fib(N, 0, 1).
fib(0, A, _) -> A;
fib(N, A, B) -> fib(N - 1, B, A + B).

p(X) -> io:format("~p~n", [X]).
