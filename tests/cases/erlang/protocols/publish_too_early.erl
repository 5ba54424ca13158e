%! run: publish_too_early:test/0
%! verdict: deadlock
%% What is published before somebody subscribes is not kept for him.
-module(publish_too_early).
-export([test/0]).

test() ->
    Topic = spawn(fun() -> topic([], 2) end),
    spawn(fun() -> Topic ! {subscribe, self()}, receive {news, _} -> ok end end),
    Topic ! {publish, 1}.

topic(_, 0) -> ok;
topic(Subs, K) ->
    receive
        {subscribe, P} -> topic([P | Subs], K - 1);
        {publish, N} -> [P ! {news, N} || P <- Subs], topic(Subs, K - 1)
    end.
