%! run: nested_receive_takes_too_much:test/0
%! verdict: deadlock
%% If the inner message comes first it is swallowed by the outer catch-all, and the inner receive waits for ever.
-module(nested_receive_takes_too_much).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! inner end),
    spawn(fun() -> Self ! outer end),
    receive
        _ ->
            receive inner -> ok end
    end.
