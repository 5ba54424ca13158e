%! run: spawn_not_exported:test/0
%! verdict: abnormal_exit
%% spawn/3 needs an exported function: the child dies of undef.
-module(spawn_not_exported).
-export([test/0]).

test() ->
    spawn(?MODULE, child, [self()]),
    ok.

-compile({nowarn_unused_function, [child/1]}).
child(Parent) ->
    Parent ! hello.
