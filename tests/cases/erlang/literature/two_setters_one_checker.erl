%! run: two_setters_one_checker:test/0
%! verdict: assertion
%% The checker sees the pair half set: one variable of two is new.
-module(two_setters_one_checker).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{a, 0}, {b, 0}]),
    Self = self(),
    spawn(fun() -> ets:insert(T, {a, 1}), ets:insert(T, {b, -1}), Self ! set end),
    A = ets:lookup_element(T, a, 2),
    B = ets:lookup_element(T, b, 2),
    receive set -> ok end,
    ?assert({A, B} =:= {0, 0} orelse {A, B} =:= {1, -1}).
