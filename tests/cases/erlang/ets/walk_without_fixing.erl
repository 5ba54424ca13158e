%! run: walk_without_fixing:test/0
%! verdict: abnormal_exit
%% Walking from a key that was deleted in the meantime is badarg for a set.
-module(walk_without_fixing).
-export([test/0]).

test() ->
    T = ets:new(t, [set, public]),
    ets:insert(T, [{1}, {2}]),
    Self = self(),
    spawn(fun() -> ets:delete(T, 1), ets:delete(T, 2), Self ! done end),
    case ets:first(T) of
        '$end_of_table' -> ok;
        K -> ets:next(T, K)
    end,
    receive done -> ok end.
