%! run: hibernating_process:test/0
%! verdict: holds
%% A process in hibernation wakes up for a message and goes on in the function named.
-module(hibernating_process).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-export([awake/1]).

test() ->
    Self = self(),
    P = spawn(fun() -> erlang:hibernate(?MODULE, awake, [Self]) end),
    P ! hello,
    receive {awake, M} -> ?assertEqual(hello, M) end.

awake(Boss) -> receive M -> Boss ! {awake, M} end.
