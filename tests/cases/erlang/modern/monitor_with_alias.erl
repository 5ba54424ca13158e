%! run: monitor_with_alias:test/0
%! verdict: holds
%% A call with a monitor that is an alias: answer or DOWN, and nothing is left after either.
-module(monitor_with_alias).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Server = spawn(fun() -> receive {call, A, N} -> A ! {A, N + 1}; stop -> ok end end),
    spawn(fun() -> Server ! stop end),
    Ref = monitor(process, Server, [{alias, reply_demonitor}]),
    Server ! {call, Ref, 1},
    R = receive
        {Ref, N} -> N;
        {'DOWN', Ref, process, Server, _} -> gone
    end,
    ?assert(lists:member(R, [2, gone])),
    receive {'DOWN', Ref, _, _, _} -> error(left) after 0 -> ok end.
