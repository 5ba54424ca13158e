%! run: file_system_unlocked:test/0
%! verdict: assertion
%% Looking for a free block without a lock gives one block to two files.
-module(file_system_unlocked).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(disk, [public]),
    Self = self(),
    [spawn(fun() -> allocate(T, F, 0), Self ! done end) || F <- [a, b]],
    [receive done -> ok end || _ <- [1, 2]],
    [{_, A}] = ets:lookup(T, {inode, a}),
    [{_, B}] = ets:lookup(T, {inode, b}),
    ?assert(A =/= B).

allocate(T, F, Block) ->
    case ets:member(T, {busy, Block}) of
        false -> ets:insert(T, {{busy, Block}, F}), ets:insert(T, {{inode, F}, Block});
        true -> allocate(T, F, Block + 1)
    end.
