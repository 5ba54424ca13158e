%! run: dead_after_goodbye:test/0
%! verdict: assertion
%% After its last message a process may live on for a moment.
-module(dead_after_goodbye).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    P = spawn(fun() -> Self ! goodbye end),
    receive goodbye -> ok end,
    ?assertEqual(false, is_process_alive(P)).
