%! run: whereis_too_early:test/0
%! verdict: abnormal_exit
%% whereis gives undefined before the child has its name, and writing to undefined is badarg.
-module(whereis_too_early).
-export([test/0]).

test() ->
    spawn(fun() -> register(echo, self()), receive hi -> ok after 10 -> ok end end),
    P = whereis(echo),
    P ! hi.
