%! run: undefined_function:test/0
%! verdict: abnormal_exit
%% Calling a function that does not exist is undef.
-module(undefined_function).
-export([test/0]).

test() ->
    Module = ?MODULE,
    spawn(fun() -> Module:not_there() end).
