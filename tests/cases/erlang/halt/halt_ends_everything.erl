%! run: halt_ends_everything:test/0
%! verdict: holds
%% halt ends all processes at once: one that waits is no deadlock then.
-module(halt_ends_everything).
-export([test/0]).

test() ->
    spawn(fun() -> receive never -> ok end end),
    halt(0).
