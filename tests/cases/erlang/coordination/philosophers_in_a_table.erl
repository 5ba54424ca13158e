%! run: philosophers_in_a_table:test/0
%! verdict: deadlock
%% Forks as a table with a waiting message: both take their left and wait for a fork that is never put back.
-module(philosophers_in_a_table).
-export([test/0]).

test() ->
    T = ets:new(forks, [public]),
    Self = self(),
    Pids = [spawn(fun() -> receive start -> ok end, eat(T, L, R), Self ! fed end) || {L, R} <- [{1, 2}, {2, 1}]],
    [P ! start || P <- Pids],
    [receive fed -> ok end || _ <- Pids].

eat(T, L, R) ->
    true = take(T, L),
    true = take(T, R),
    ets:delete(T, R),
    ets:delete(T, L).

take(T, F) ->
    case ets:insert_new(T, {F, self()}) of
        true -> true;
        false -> receive {put_back, F} -> take(T, F) end
    end.
