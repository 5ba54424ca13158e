%! run: deadline_passes:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 10, transitions = 9, depth = 9
%% Who waits in small steps until a deadline comes to it.
-module(deadline_passes).
-export([test/0]).
test() ->
    until(erlang:monotonic_time(millisecond) + 30).
until(Deadline) ->
    case erlang:monotonic_time(millisecond) >= Deadline of
        true -> ok;
        false -> timer:sleep(10), until(Deadline)
    end.
