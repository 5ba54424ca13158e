%! run: lost_update_deep:test/0
%! verdict: abnormal_exit
%% Both read 0 and write 1; the function that looks at the end, two calls away and one of them in tail position, has no clause
%% for that. The story shows what was read and the calls that led there.
-module(lost_update_deep).
-export([test/0]).

test() ->
    ets:new(tab, [public, named_table]), ets:insert(tab, {x, 0}),
    Me = self(),
    Inc = fun() -> [{x, V}] = ets:lookup(tab, x), io:format("read ~p~n", [V]), ets:insert(tab, {x, V + 1}), Me ! done end,
    spawn(Inc), spawn(Inc),
    receive done -> ok end, receive done -> ok end,
    check(ets:lookup(tab, x)).

check(L) -> deep(hd(L)), ok.

deep({x, 2}) -> ok.
