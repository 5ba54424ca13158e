%! run: unregister_twice:test/0
%! verdict: abnormal_exit
%% Two processes remove the same name; the second finds it gone.
-module(unregister_twice).
-export([test/0]).

test() ->
    register(shared, self()),
    Self = self(),
    [spawn(fun() -> unregister(shared), Self ! done end) || _ <- [1, 2]],
    [receive done -> ok after 10 -> ok end || _ <- [1, 2]].
