%! run: send_to_self_late:test/0
%! verdict: assertion
%% The child exists before its parent writes to itself, so its message may be first.
-module(send_to_self_late).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! childs end),
    Self ! mine,
    A = receive X -> X end,
    receive _ -> ok end,
    ?assertEqual(mine, A).
