%! run: update_element_of_a_bag:test/0
%! verdict: holds
%% A key of a bag may have several objects, so there is none to update.
-module(update_element_of_a_bag).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [bag]),
    ets:insert(T, {k, 1}),
    ?assertError(badarg, ets:update_element(T, k, {2, 2})),
    ?assertError(badarg, ets:update_element(T, missing, {2, 2})),
    [{k, 1}] = ets:lookup(T, k).
