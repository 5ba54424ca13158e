%! run: spawn_request_order:test/0
%! verdict: assertion
%% The child's message may come before the answer of the request that made it.
-module(spawn_request_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Id = spawn_request(fun() -> Self ! hello end),
    First = receive X -> X end,
    receive _ -> ok end,
    ?assertEqual(hello, First),
    is_reference(Id).
