%! run: timer_module_functions:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 7, transitions = 7, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% timer:sleep and timer:send_after as everyday code uses them.
-module(timer_module_functions).
-export([test/0]).

test() ->
    {ok, _} = timer:send_after(10, self(), tick),
    timer:sleep(5),
    receive tick -> ok end.
