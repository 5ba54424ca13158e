%! run: priority_receive:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 62, transitions = 123, depth = 10
%! stateless(optimal): holds, interleavings = 4
%% First look for urgent messages without waiting, then take anything: no message is lost.
-module(priority_receive).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! {low, 1} end),
    spawn(fun() -> Self ! {high, 2} end),
    L = [next(), next()],
    ?assertEqual([{high, 2}, {low, 1}], lists:sort(L)).

next() ->
    receive {high, _} = M -> M
    after 0 -> receive M -> M end
    end.
