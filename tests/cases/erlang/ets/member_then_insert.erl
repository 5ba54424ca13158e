%! run: member_then_insert:test/0
%! verdict: assertion
%% Looking first and writing then lets both win.
-module(member_then_insert).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(leader, [public]),
    Self = self(),
    [spawn(fun() ->
        case ets:member(T, leader) of
            true -> Self ! {won, false};
            false -> ets:insert(T, {leader, N}), Self ! {won, true}
        end
    end) || N <- [1, 2]],
    L = [receive {won, W} -> W end || _ <- [1, 2]],
    ?assertEqual([false, true], lists:sort(L)).
