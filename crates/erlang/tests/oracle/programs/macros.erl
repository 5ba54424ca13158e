%% Macros with and without arguments, conditions, stringification, predefined ones.
-module(macros).
-export([main/0]).

-define(LIMIT, 10).
-define(ADD(A, B), ((A) + (B))).
-define(ADD(A), ?ADD(A, 1)).
-define(SHOW(E), io:format("~s = ~p~n", [??E, E])).
-define(IF(C, T, F), case C of true -> T; false -> F end).
-ifdef(NOT_DEFINED).
-define(KIND, defined).
-else.
-define(KIND, undefined_so_far).
-endif.
-undef(LIMIT).
-define(LIMIT, 20).
-if(?LIMIT > 15).
-define(SIZE, large).
-elif(?LIMIT > 5).
-define(SIZE, medium).
-else.
-define(SIZE, small).
-endif.
-ifndef(OTHER).
other() -> no_other.
-endif.

main() ->
    p(?LIMIT), p(?ADD(1, 2) * 2), p(?ADD(5)), p(?KIND), p(?SIZE),
    ?SHOW(1 + 2),
    ?SHOW(lists:seq(1, 3)),
    p(?IF(1 < 2, yes, no)),
    p(?MODULE), p(?FUNCTION_NAME), p(?FUNCTION_ARITY), p(is_integer(?LINE)), p(?MODULE_STRING),
    p(other()).

p(X) -> io:format("~p~n", [X]).
