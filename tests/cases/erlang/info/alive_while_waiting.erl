%! run: alive_while_waiting:test/0
%! verdict: holds
%% A process that waits for a message only we send is alive.
-module(alive_while_waiting).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> receive stop -> ok end end),
    ?assertEqual(true, is_process_alive(P)),
    P ! stop.
