%! run: bad_timeout_value:test/0
%! verdict: abnormal_exit
%% A timeout must be a non-negative integer or infinity.
-module(bad_timeout_value).
-export([test/0]).

test() ->
    wait(soon).

wait(T) ->
    receive never -> ok after T -> ok end.
