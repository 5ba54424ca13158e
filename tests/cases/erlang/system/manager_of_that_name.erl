%! run: manager_of_that_name:test/0
%! verdict: deadlock
%% A process of the program's own that only bears a service's name waits in vain like any other.
-module(manager_of_that_name).
-export([test/0]).
test() ->
    register(alarm_handler, self()),
    receive never -> ok end.
