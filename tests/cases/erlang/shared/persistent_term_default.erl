%! run: persistent_term_default:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 18, transitions = 24, depth = 8
%! stateless(optimal): holds, interleavings = 2
%% With a default the reader does not mind when the writer writes.
-module(persistent_term_default).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> persistent_term:put(config, new), Self ! done end),
    V = persistent_term:get(config, old),
    receive done -> ok end,
    ?assert(lists:member(V, [old, new])),
    ?assertEqual(new, persistent_term:get(config)).
