%! run: relay_after_direct:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 29, transitions = 50, depth = 11
%! stateless(optimal): holds, interleavings = 1
%% With instant delivery the direct message is in the mailbox before the relay even starts.
-module(relay_after_direct).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Relay = spawn(fun() -> receive go -> Self ! relayed end end),
    spawn(fun() -> Self ! direct, Relay ! go end),
    A = receive X -> X end,
    B = receive Y -> Y end,
    ?assertEqual([direct, relayed], [A, B]).
