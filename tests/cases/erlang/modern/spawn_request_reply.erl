%! run: spawn_request_reply:test/0
%! verdict: holds
%% spawn_request tells in a message that the process is there.
-module(spawn_request_reply).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Id = spawn_request(fun() -> Self ! {hello, self()} end),
    Pid = receive {spawn_reply, Id, ok, P} -> P end,
    receive {hello, Q} -> ?assertEqual(Pid, Q) end.
