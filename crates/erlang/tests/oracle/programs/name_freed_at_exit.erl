%% A name is free once the DOWN message is here.
-module(name_freed_at_exit).
-export([main/0]).

main() ->
    {Pid, Ref} = spawn_monitor(fun() -> register(short, self()), receive stop -> ok end end),
    wait_for(short),
    p(whereis(short) =:= Pid),
    short ! stop,
    receive {'DOWN', Ref, process, Pid, R} -> p(R) end,
    p(whereis(short)),
    p(register(short, self())),
    unregister(short).

wait_for(Name) ->
    case whereis(Name) of
        undefined -> timer:sleep(1), wait_for(Name);
        _ -> ok
    end.

p(X) -> io:format("~p~n", [X]).
