%! run: table_of_the_dead:test/0
%! crash: owner
%! verdict: abnormal_exit
%% A table goes with its owner: who looks something up then fails.
-module(table_of_the_dead).
-export([test/0]).

test() ->
    Self = self(),
    {_, Ref} = spawn_monitor(fun() ->
        register(owner, self()),
        ets:new(table, [named_table, public]),
        Self ! ready,
        receive stop -> ok end
    end),
    receive
        ready ->
            ets:lookup(table, key),
            catch owner ! stop;
        {'DOWN', Ref, process, _, _} -> ok
    end.
