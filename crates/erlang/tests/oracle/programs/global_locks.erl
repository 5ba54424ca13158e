%% Locks and names of module global on one node.
-module(global_locks).
-export([main/0]).

main() ->
    Self = self(),
    p(global:set_lock({r, Self})),
    p(global:set_lock({r, Self}, [node()])),
    Other = spawn(fun() ->
                          Self ! {tried, global:set_lock({r, self()}, [node()], 0)},
                          receive go -> ok end,
                          Self ! {got, global:set_lock({r, self()})},
                          receive stop -> ok end
                  end),
    receive {tried, T} -> p(T) end,
    p(global:del_lock({r, Self})),
    p(global:del_lock({r, Self}, [node()])),
    Other ! go,
    receive {got, G} -> p(G) end,
    p(global:trans({s, Self}, fun() -> inside end)),
    p(global:trans({s, Self}, fun() -> inside end, [node()])),
    p(global:trans({r, Self}, fun() -> inside end, [node()], 0)),
    Other ! stop,
    p(global:register_name(g, Self, fun global:random_exit_name/3)),
    p(global:registered_names()),
    p(global:register_name(g, Other)),
    p(global:re_register_name(g, Self)),
    p(global:re_register_name(g, Self, fun global:random_exit_name/3)),
    p(global:sync()),
    p(global:unregister_name(g)),
    p(global:registered_names()).

p(X) -> io:format("~p~n", [X]).
