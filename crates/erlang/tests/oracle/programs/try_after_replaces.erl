%% An exception in catch or after replaces the first one; the value of after is dropped.
-module(try_after_replaces).
-export([main/0]).

main() ->
    p(r(fun() -> try error(a) after error(b) end end)),
    p(r(fun() -> try error(a) catch error:a -> throw(c) end end)),
    p(r(fun() -> try error(a) catch error:a -> throw(c) after exit(d) end end)),
    p(r(fun() -> try ok after dropped end end)),
    p(r(fun() -> try ok of ok -> error(in_of) catch error:in_of -> wrong end end)),
    p(r(fun() -> try throw(x) catch throw:x when true -> guarded end end)),
    p(r(fun() -> try throw(x) catch exit:_ -> no; error:_ -> no end end)).

r(F) -> try {value, F()} catch C:R -> {C, R} end.

p(X) -> io:format("~p~n", [X]).
