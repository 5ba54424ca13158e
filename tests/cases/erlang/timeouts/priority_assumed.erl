%! run: priority_assumed:test/0
%! verdict: assertion
%% Looking for urgent messages first does not make them come first.
-module(priority_assumed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! {low, 1} end),
    spawn(fun() -> Self ! {high, 2} end),
    First = next(),
    next(),
    ?assertEqual({high, 2}, First).

next() ->
    receive {high, _} = M -> M
    after 0 -> receive M -> M end
    end.
