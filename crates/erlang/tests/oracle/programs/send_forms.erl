%% The forms of send and their values.
-module(send_forms).
-export([main/0]).

main() ->
    p(self() ! a),
    p(erlang:send(self(), b)),
    p(erlang:send(self(), c, [noconnect])),
    p(erlang:send(self(), d, [nosuspend])),
    register(me, self()),
    p(me ! e),
    p({me, node()} ! f),
    p(erlang:send_nosuspend(self(), g)),
    unregister(me),
    p(all()),
    Dead = spawn(fun() -> ok end),
    M = monitor(process, Dead),
    receive {'DOWN', M, _, _, _} -> ok end,
    p(Dead ! x).

all() -> receive X -> [X | all()] after 0 -> [] end.

p(X) -> io:format("~p~n", [X]).
