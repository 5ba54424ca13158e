%! run: halt_saves_the_waiting:test/0
%! verdict: holds
%% The first process would wait for ever, but its child ends the program.
-module(halt_saves_the_waiting).
-export([test/0]).

test() ->
    spawn(fun() -> halt(0) end),
    receive never -> ok end.
