%! run: cancel_the_slower:test/0
%! verdict: assertion
%% The cancelled worker may have written its result before the cancellation came.
-module(cancel_the_slower).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    T = ets:new(results, [public]),
    Self = self(),
    [A, B] = [spawn(fun() -> ets:insert(T, {self()}), Self ! {first, self()} end) || _ <- [1, 2]],
    Winner = receive {first, P} -> P end,
    [Loser] = [A, B] -- [Winner],
    exit(Loser, kill),
    ?assertEqual(1, ets:info(T, size)).
