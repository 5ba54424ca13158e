%! run: name_and_node_waits:test/0
%! verdict: deadlock
%% A message to a name that is not there yet is dropped, and its reader waits for ever.
-module(name_and_node_waits).
-export([test/0]).

test() ->
    spawn(fun() -> register(late, self()), receive hello -> ok end end),
    {late, node()} ! hello.
