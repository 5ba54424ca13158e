%% References are unique and comparable.
-module(references).
-export([main/0]).

main() ->
    A = make_ref(), B = make_ref(),
    p(A =:= A), p(A =:= B), p(is_reference(A)), p(is_reference(a)),
    p(A < B orelse B < A),
    M = #{A => 1, B => 2},
    p(maps:get(B, M)),
    Self = self(),
    spawn(fun() -> Self ! {A, hello} end),
    receive {A, X} -> p(X) end.

p(X) -> io:format("~p~n", [X]).
