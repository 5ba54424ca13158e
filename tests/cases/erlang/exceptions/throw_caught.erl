%! run: throw_caught:test/0
%! verdict: holds
%% A throw that is caught is just another way to return.
-module(throw_caught).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! try throw(ball) catch ball -> caught end end),
    receive caught -> ok end.
