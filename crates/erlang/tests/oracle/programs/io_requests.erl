%% A process as group leader and device: what it is asked, and what it may answer.
-module(io_requests).
-export([main/0]).

main() ->
    Self = self(),
    Server = spawn(fun() -> serve(Self) end),
    Run = fun(F) ->
        {P, R} = spawn_monitor(fun() -> group_leader(Server, self()), Self ! {result, try F() catch C:E -> {C, E} end} end),
        receive {result, V} -> p(V) end,
        receive {'DOWN', R, process, P, _} -> ok end
    end,
    Run(fun() -> io:format("plain~n") end),
    Run(fun() -> io:format("~p~n", [args]) end),
    Run(fun() -> io:put_chars("chars") end),
    Run(fun() -> io:nl() end),
    Run(fun() -> io:write({a, 1}) end),
    Run(fun() -> io:get_line("prompt> ") end),
    Run(fun() -> io:format(Server, "to ~w", [device]) end),
    Run(fun() -> io:format(user, "", []) end),
    Run(fun() -> spawn(fun() -> io:put_chars("inherited"), Self ! done end), receive done -> ok after 0 -> waits end end),
    receive done -> ok end,
    Run(fun() -> io:put_chars("bad") end),
    register(printer, Server),
    io:format(printer, "by name~n", []),
    Server ! stop,
    wait(Server),
    p(try io:format(Server, "gone", []) catch error:E -> E end),
    io:format("~ts~n", ["native again"]),
    receive {seen, Seen} -> [p(S) || S <- Seen] end.

wait(P) ->
    R = monitor(process, P),
    receive {'DOWN', R, process, P, _} -> ok end.

serve(To) -> serve(To, []).
serve(To, Seen) ->
    receive
        stop -> To ! {seen, lists:reverse(Seen)};
        {io_request, From, As, Request} ->
            From ! {io_reply, As, answer(Request)},
            serve(To, [Request | Seen])
    end.

answer({get_line, _, _}) -> "a line\n";
answer({put_chars, _, <<"bad">>}) -> {error, no_good};
answer(_) -> ok.

p(X) -> io:format("~p~n", [X]).
