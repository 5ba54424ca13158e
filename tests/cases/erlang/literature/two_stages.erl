%! run: two_stages:test/0
%! verdict: assertion
%% The second stage is read by somebody who saw the first, between the two updates.
-module(two_stages).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, [{one, 0}, {two, 0}]),
    Self = self(),
    spawn(fun() ->
        ets:update_counter(T, one, 1),
        V = ets:lookup_element(T, one, 2),
        ets:insert(T, {two, V + 1}),
        Self ! done
    end),
    One = ets:lookup_element(T, one, 2),
    Two = case One of 0 -> 2; 1 -> ets:lookup_element(T, two, 2) end,
    receive done -> ok end,
    ?assertEqual(2, Two).
