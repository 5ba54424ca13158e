%! run: normal_exit_is_harmless:test/0
%! verdict: holds
%% A linked child that ends normally does not disturb its parent.
-module(normal_exit_is_harmless).
-export([test/0]).

test() ->
    Self = self(),
    spawn_link(fun() -> Self ! done end),
    receive done -> ok end.
