%! run: child_names_itself:test/0
%! verdict: abnormal_exit
%% The child registers itself, and its parent may write to the name before that: badarg.
-module(child_names_itself).
-export([test/0]).

test() ->
    spawn(fun() -> register(echo, self()), receive hi -> ok after 10 -> ok end end),
    echo ! hi.
