%! run: monitors_by_name:test/0
%! verdict: holds
%% A monitor by name is told as such.
-module(monitors_by_name).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive stop -> ok end end),
    register(watched, P),
    monitor(process, watched),
    {monitors, [{process, {watched, Node}}]} = process_info(self(), monitors),
    true = Node =:= node(),
    P ! stop.
