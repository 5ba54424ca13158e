%! run: event_stop_twice:test/0
%! verdict: abnormal_exit
%% Two stop an event manager: who is second while it ends was never answered.
-module(event_stop_twice).
-export([test/0]).
test() ->
    {ok, M} = gen_event:start(),
    spawn(fun() -> stop(M) end),
    stop(M).
stop(M) ->
    try gen_event:stop(M) of ok -> ok
    catch exit:noproc -> ok;
          exit:{normal, {sys, terminate, _}} -> exit(stop_failed)
    end.
