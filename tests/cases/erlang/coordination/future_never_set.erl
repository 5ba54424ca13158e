%! run: future_never_set:test/0
%! verdict: deadlock
%% The one who should set the future waits for it first.
-module(future_never_set).
-export([test/0]).

test() ->
    F = spawn(fun() -> receive {value, V} -> receive {read, P} -> P ! {is, V} end end end),
    F ! {read, self()},
    receive {is, V} -> F ! {value, V} end.
