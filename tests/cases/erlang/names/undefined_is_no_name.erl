%! run: undefined_is_no_name:test/0
%! verdict: abnormal_exit
%% undefined is the one atom that cannot be a name.
-module(undefined_is_no_name).
-export([test/0]).

test() ->
    register(undefined, self()).
