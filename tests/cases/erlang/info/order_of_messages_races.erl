%! run: order_of_messages_races:test/0
%! verdict: abnormal_exit
%% Two processes send to a third, which takes nothing; the first process looks at its messages. No receive tells the two messages
%% apart, but the look does: it sees none, either alone, or both in either order, and allows all but [two, one].
-module(order_of_messages_races).
-export([test/0]).

test() ->
    Silent = spawn(fun() -> receive never -> ok end end),
    spawn(fun() -> Silent ! one end),
    spawn(fun() -> Silent ! two end),
    {messages, Messages} = process_info(Silent, messages),
    true = Messages =/= [two, one],
    exit(Silent, kill).
