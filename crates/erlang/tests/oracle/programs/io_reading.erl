%% What reading asks of a device, and what becomes of its answers.
-module(io_reading).
-export([main/0]).

main() ->
    D = spawn(fun() -> device([]) end),
    group_leader(D, self()),
    Results = [io:get_line(D, ask), io:get_chars(D, ask, 3), io:get_chars(ask, 3), io:fread(D, ask, "~d"), io:fread(ask, "~d"),
               io:read(D, ask), io:read(ask), io:getopts(D), io:setopts(D, [{echo, false}]), io:setopts([binary]),
               io:columns(D), io:columns(), io:rows(D), io:rows(), io:request(D, {get_geometry, rows}), io:requests(D, [getopts])],
    D ! {requests, self()},
    receive {seen, Seen, Leader} -> group_leader(Leader, self()), [p(S) || S <- Seen] end,
    [p(R) || R <- Results].

device(Seen) ->
    receive
        {io_request, From, As, Request} ->
            From ! {io_reply, As, answer(Request)},
            device([Request | Seen]);
        {requests, To} -> To ! {seen, lists:reverse(Seen), group_leader()}
    end.

answer({get_line, _, _}) -> "a line\n";
answer({get_chars, _, _, N}) -> lists:duplicate(N, $x);
answer({get_until, _, _, erl_scan, tokens, _}) -> {ok, Tokens, End} = erl_scan:string("{a, 1}."), {ok, Tokens, End};
answer({get_until, _, _, io_lib, fread, _}) -> {ok, [12]};
answer(getopts) -> [{echo, true}];
answer({setopts, _}) -> ok;
answer({get_geometry, columns}) -> 72;
answer({get_geometry, rows}) -> {error, enotsup};
answer(_) -> {error, request}.

p(X) -> io:format("~0p~n", [X]).
