%! run: publish_subscribe:test/0
%! verdict: holds
%% A subscriber that is subscribed before the publication gets it.
-module(publish_subscribe).
-export([test/0]).

test() ->
    Self = self(),
    Topic = spawn(fun() -> topic([]) end),
    Sub = spawn(fun() ->
        Topic ! {subscribe, self()},
        receive subscribed -> Self ! ready end,
        receive {news, N} -> Self ! {got, N} end
    end),
    receive ready -> ok end,
    Topic ! {publish, 1},
    receive {got, 1} -> ok end,
    Topic ! stop,
    is_pid(Sub).

topic(Subs) ->
    receive
        {subscribe, P} -> P ! subscribed, topic([P | Subs]);
        {publish, N} -> [P ! {news, N} || P <- Subs], topic(Subs);
        stop -> ok
    end.
