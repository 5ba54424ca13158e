%! run: spawn_request_no_reply:test/0
%! verdict: deadlock
%% A request that is told to keep quiet never answers.
-module(spawn_request_no_reply).
-export([test/0]).

test() ->
    Id = spawn_request(fun() -> ok end, [{reply, no}]),
    receive {spawn_reply, Id, ok, _} -> ok end.
