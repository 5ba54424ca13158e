%! run: flush_when_quiet:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 18, transitions = 23, depth = 11
%! stateless(optimal): holds, interleavings = 1
%% Everybody who could write has said so: now a flush takes everything there is.
-module(flush_when_quiet).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! noise, Self ! noise, Self ! quiet end),
    receive quiet -> ok end,
    ?assertEqual(2, flush(0)),
    ?assertEqual(0, flush(0)).

flush(N) ->
    receive noise -> flush(N + 1) after 0 -> N end.
