%! run: wait_for_the_name:test/0
%! verdict: holds
%% The child says when it has its name.
-module(wait_for_the_name).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> register(echo, self()), Self ! ready, receive hi -> ok end end),
    receive ready -> echo ! hi end.
