%! run: indexer_two:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 340, transitions = 673, depth = 21
%! stateless(optimal): holds, interleavings = 12
%% Two threads put their messages into a hash table by compare and swap, walking on when a slot is taken.
-module(indexer_two).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(table, [public]),
    Self = self(),
    [spawn(fun() -> [put_in(T, hash(M), M) || M <- Ms], Self ! done end) || Ms <- [[1, 4], [7, 2]]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([1, 2, 4, 7], lists:sort([M || {_, M} <- ets:tab2list(T)])).

hash(M) -> M rem 3.

put_in(T, Slot, M) ->
    case ets:insert_new(T, {Slot, M}) of
        true -> ok;
        false -> put_in(T, (Slot + 1) rem 5, M)
    end.
