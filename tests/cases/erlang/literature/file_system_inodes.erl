%! run: file_system_inodes:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 124, transitions = 241, depth = 18
%! stateless(optimal): holds, interleavings = 4
%% Threads allocate blocks for files: a file's block is given once, and no block is given twice.
-module(file_system_inodes).
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
    case ets:insert_new(T, {{busy, Block}, F}) of
        true -> ets:insert(T, {{inode, F}, Block});
        false -> allocate(T, F, Block + 1)
    end.
