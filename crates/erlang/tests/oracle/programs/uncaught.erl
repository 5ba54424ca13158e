%% What a process that fails leaves to its monitors.
-module(uncaught).
-export([main/0]).

main() ->
    [p(down(F)) || F <- [fun() -> throw(ball) end, fun() -> error(oops) end, fun() -> exit(bye) end,
                         fun() -> 1 / list_to_integer("0") end, fun() -> lists:nth(5, tl([1])) end,
                         fun() -> apply(nomodule, nofunction, []) end, fun() -> {ok, _} = {error, x}, ok end,
                         fun() -> case self() of nobody -> ok end, ok end]].

down(F) ->
    {Pid, M} = spawn_monitor(F),
    receive {'DOWN', M, process, Pid, R} -> clean(R) end.

clean({{case_clause, _}, S}) when is_list(S) -> case_clause;
clean({R, S}) when is_list(S) -> {R, stack};
clean(R) -> R.

p(X) -> io:format("~p~n", [X]).
