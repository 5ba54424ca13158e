%! run: atomics_aba:test/0
%! verdict: assertion
%% Compare and swap sees the old value again and does not notice that it was changed and changed back.
-module(atomics_aba).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = atomics:new(1, []),
    Self = self(),
    spawn(fun() ->
        atomics:put(A, 1, 1),
        atomics:put(A, 1, 0),
        Self ! changed_and_back
    end),
    Old = atomics:get(A, 1),
    receive changed_and_back -> ok end,
    ?assertNotEqual(ok, atomics:compare_exchange(A, 1, Old, 5)).
