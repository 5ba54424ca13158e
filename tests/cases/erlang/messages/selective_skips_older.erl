%! run: selective_skips_older:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 6, transitions = 5, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% A selective receive leaves the older message in the mailbox for the next receive.
-module(selective_skips_older).
-export([test/0]).

test() ->
    self() ! a,
    self() ! b,
    receive b -> ok end,
    receive a -> ok end.
