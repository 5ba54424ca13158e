%! run: read_timer_tells:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 8, depth = 6
%! stateless(optimal): holds, interleavings = 2
%% read_timer gives the time left or false, and changes nothing.
-module(read_timer_tells).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Ref = erlang:send_after(10, self(), tick),
    R = erlang:read_timer(Ref),
    ?assert(R =:= false orelse is_integer(R)),
    receive tick -> ok end,
    ?assertEqual(false, erlang:read_timer(Ref)).
