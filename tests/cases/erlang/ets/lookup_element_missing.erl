%! run: lookup_element_missing:test/0
%! verdict: abnormal_exit
%% lookup_element of a key that is not there yet is badarg.
-module(lookup_element_missing).
-export([test/0]).

test() ->
    T = ets:new(t, [public]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {k, 1}), Self ! done end),
    1 = ets:lookup_element(T, k, 2),
    receive done -> ok end.
