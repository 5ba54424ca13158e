%! run: halt_without_status:test/0
%! verdict: holds
%% halt/0 is halt with status zero.
-module(halt_without_status).
-export([test/0]).

test() ->
    spawn(fun() -> receive never -> ok end end),
    halt().
