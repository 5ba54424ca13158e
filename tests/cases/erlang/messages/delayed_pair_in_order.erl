%! run: delayed_pair_in_order:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 19, transitions = 28, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% Even when deliveries are events of their own, one sender's two messages cannot overtake each other.
-module(delayed_pair_in_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{instant_delivery, false}]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! 1, Self ! 2 end),
    L = [receive X -> X end || _ <- [a, b]],
    ?assertEqual([1, 2], L).
