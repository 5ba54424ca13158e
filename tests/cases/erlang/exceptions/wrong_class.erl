%! run: wrong_class:test/0
%! verdict: abnormal_exit
%% catch error:_ does not catch an exit.
-module(wrong_class).
-export([test/0]).

test() ->
    spawn(fun() -> try exit(gone) catch error:_ -> ok end end).
