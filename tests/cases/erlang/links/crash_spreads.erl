%! run: crash_spreads:test/0
%! verdict: abnormal_exit
%% An untrapped abnormal exit of a linked child ends the parent as well.
-module(crash_spreads).
-export([test/0]).

test() ->
    spawn_link(fun() -> exit(crash) end),
    receive never -> ok end.
