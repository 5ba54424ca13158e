%! run: delete_key_races:test/0
%! verdict: abnormal_exit
%% The key may be deleted between the test and the use.
-module(delete_key_races).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, 1}),
    Self = self(),
    spawn(fun() -> ets:delete(T, k), Self ! done end),
    case ets:member(T, k) of
        true -> 1 = ets:lookup_element(T, k, 2);
        false -> ok
    end,
    receive done -> ok end.
