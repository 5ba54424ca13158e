%% put, get, erase, get_keys; each process has its own.
-module(process_dictionary).
-export([main/0]).

main() ->
    p(put(a, 1)), p(put(a, 2)), p(put(b, 2)),
    p(get(a)), p(get(z)),
    p(lists:sort(get())),
    p(lists:sort(get_keys())),
    p(lists:sort(get_keys(2))),
    p(erase(a)), p(erase(a)),
    Self = self(),
    spawn(fun() -> Self ! get(b) end),
    receive X -> p(X) end,
    p(erase()),
    p(get()).

p(X) -> io:format("~p~n", [X]).
