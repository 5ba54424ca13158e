%! run: stack_by_compare_and_swap:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 104, transitions = 200, depth = 17
%! stateless(optimal): holds, interleavings = 8
%% A stack whose top is swapped only if it is still the one seen: no push is lost.
-module(stack_by_compare_and_swap).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    T = ets:new(stack, [public]),
    ets:insert(T, {top, []}),
    Self = self(),
    [spawn(fun() -> push(T, N), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual([1, 2], lists:sort(ets:lookup_element(T, top, 2))).

push(T, N) ->
    Top = ets:lookup_element(T, top, 2),
    case ets:select_replace(T, [{{top, Top}, [], [{{top, {const, [N | Top]}}}]}]) of
        1 -> ok;
        0 -> push(T, N)
    end.
