%! run: give_up_and_leave:test/0
%! verdict: deadlock
%% The client gives up before the server asks it back, and the server waits for ever.
-module(give_up_and_leave).
-export([test/0]).

test() ->
    Server = spawn(fun() ->
        receive {hello, From} -> From ! {who, self()}, receive {i_am, _} -> ok end end
    end),
    Server ! {hello, self()},
    receive {who, S} -> S ! {i_am, me} after 10 -> gave_up end.
