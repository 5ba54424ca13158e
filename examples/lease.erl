%% A lease: who holds it may write until its time is over, as it sees it.
-module(lease).
-export([test/0]).

test() ->
    Table = ets:new(writes, [public, bag]),
    Until = erlang:monotonic_time(millisecond) + 100,
    Self = self(),
    spawn(fun() -> holder(Table, Until), Self ! done end),
    timer:sleep(100),
    true = erlang:monotonic_time(millisecond) >= Until,
    ets:insert(Table, {next, erlang:monotonic_time()}),
    receive done -> ok end,
    check(ets:lookup(Table, next), ets:lookup(Table, holder)).

%% Looks whether the lease is still good, and then writes: too late if much time passes in between.
holder(Table, Until) ->
    case erlang:monotonic_time(millisecond) < Until of
        true -> ets:insert(Table, {holder, erlang:monotonic_time()});
        false -> ok
    end.

check([{next, Next}], [{holder, Holder}]) when Holder > Next -> exit(written_after_the_lease);
check(_, _) -> ok.
