%! run: whole_object_undoes_the_rest:test/0
%! verdict: assertion
%% Writing the whole object back undoes what another wrote to its other element.
-module(whole_object_undoes_the_rest).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(t, [public]),
    ets:insert(T, {k, 0, 0}),
    Self = self(),
    [spawn(fun() ->
        [O] = ets:lookup(T, k),
        ets:insert(T, setelement(I, O, 1)),
        Self ! done
    end) || I <- [2, 3]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([{k, 1, 1}], ets:lookup(T, k)).
