%% spawn_request tells the new pid in a message.
-module(spawn_request_reply).
-export([main/0]).

main() ->
    Req = spawn_request(fun() -> receive stop -> ok end end, [monitor]),
    Pid = receive {spawn_reply, Req, ok, P} -> P end,
    p(is_pid(Pid)),
    Pid ! stop,
    receive {'DOWN', Req, process, Pid, R} -> p(R) end.

p(X) -> io:format("~p~n", [X]).
