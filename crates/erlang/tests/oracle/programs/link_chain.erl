%% A failure travels along a chain of links.
-module(link_chain).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Last = chain(10),
    receive {'EXIT', Last, R} -> p(R) end.

chain(0) -> spawn_link(fun() -> exit(end_of_chain) end);
chain(N) -> spawn_link(fun() -> chain(N - 1), receive never -> ok end end).

p(X) -> io:format("~p~n", [X]).
