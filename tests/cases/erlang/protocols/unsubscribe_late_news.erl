%! run: unsubscribe_late_news:test/0
%! verdict: assertion
%% News may be on its way when the subscription ends.
-module(unsubscribe_late_news).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Topic = spawn(fun() -> topic([]) end),
    Topic ! {subscribe, self()},
    spawn(fun() -> Topic ! {publish, 1} end),
    Topic ! {unsubscribe, self()},
    receive unsubscribed -> ok end,
    R = receive {news, _} -> news after 0 -> none end,
    Topic ! stop,
    ?assertEqual(none, R).

topic(Subs) ->
    receive
        {subscribe, P} -> topic([P | Subs]);
        {unsubscribe, P} -> P ! unsubscribed, topic(lists:delete(P, Subs));
        {publish, N} -> [P ! {news, N} || P <- Subs], topic(Subs);
        stop -> ok
    end.
