%! run: after_runs_always:test/0
%! verdict: holds
%% The after part gives the lock back even when the work fails.
-module(after_runs_always).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    L = spawn(fun() -> lock(2) end),
    Self = self(),
    [spawn(fun() ->
        R = (catch with_lock(L, F)),
        Self ! {result, element(1, {R, F})}
    end) || F <- [fun() -> fine end, fun() -> throw(failed) end]],
    Results = [receive {result, R} -> R end || _ <- [1, 2]],
    ?assertEqual([failed, fine], lists:sort(Results)).

with_lock(L, F) ->
    L ! {lock, self()},
    receive locked -> ok end,
    try F() after L ! unlock end.

lock(0) -> ok;
lock(K) -> receive {lock, P} -> P ! locked, receive unlock -> lock(K - 1) end end.
