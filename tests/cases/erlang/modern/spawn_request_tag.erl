%! run: spawn_request_tag:test/0
%! verdict: holds
%% The answer may carry a tag, and a monitor goes with it.
-module(spawn_request_tag).
-export([test/0]).

test() ->
    Id = spawn_request(fun() -> ok end, [monitor, {reply_tag, made}]),
    P = receive {made, Id, ok, Pid} -> Pid end,
    receive {'DOWN', Id, process, P, normal} -> ok end.
