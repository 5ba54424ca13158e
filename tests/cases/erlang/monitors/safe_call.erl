%! run: safe_call:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 306, transitions = 787, depth = 17
%! stateless(optimal): holds, interleavings = 4
%% A call by hand that cannot hang: either an answer or the news that the server is gone.
-module(safe_call).
-export([test/0]).

test() ->
    Server = spawn(fun() -> receive {_, Ref, _} = _Ignored when Ref =:= none -> ok; {call, From, R, N} ->
        From ! {R, N + 1} end end),
    [spawn(fun() -> true = lists:member(call(Server, 1), [2, gone]) end) || _ <- [1, 2]].

call(Server, N) ->
    Ref = monitor(process, Server),
    Server ! {call, self(), Ref, N},
    receive
        {Ref, Answer} -> demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, _, _} -> gone
    end.
