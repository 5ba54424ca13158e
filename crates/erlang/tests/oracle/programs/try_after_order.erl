%% In which order try, of, catch and after run.
-module(try_after_order).
-export([main/0]).

main() ->
    p(t(fun() -> p(body), value end)),
    p(catch t(fun() -> p(body), throw(thrown) end)),
    p(catch t(fun() -> p(body), exit(exited) end)),
    p(nested()),
    p(try deep(3) catch throw:X -> X end).

t(F) ->
    try F() of
        value -> p('of'), from_of;
        Other -> Other
    catch
        throw:T -> p({'catch', T}), from_catch
    after
        p('after')
    end.

nested() ->
    try
        try throw(inner)
        after p(inner_after)
        end
    catch
        throw:inner -> p(outer_catch), done
    after
        p(outer_after)
    end.

deep(0) -> throw(bottom);
deep(N) -> try deep(N - 1) after p({leaving, N}) end.

p(X) -> io:format("~p~n", [X]).
