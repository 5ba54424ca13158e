-module(call_timeouts).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    t(1, fun() -> go(now, 100, 0) end),
    t(2, fun() -> go(later, 5, 50) end),
    t(3, fun() -> go(later, 100, 50) end),
    t(4, fun() -> go(later, infinity, 50) end),
    t(5, fun() -> go(twice, infinity, 10) end),
    t(6, fun() -> go(never, 5, 5) end),
    t(7, fun() -> go(stop, 100, 5) end),
    t(8, fun() -> go(crash, infinity, 5) end),
    t(9, fun() -> go(bad, 100, 5) end),
    t(10, fun() -> gen_server:call(nobody_home, x) end),
    t(11, fun() -> gen_server:call(nobody_home, x, 10) end),
    t(12, fun() -> gen_server:call({nobody_home, node()}, x) end),
    t(13, fun() -> gen_server:cast(nobody_home, x) end),
    t(14, fun() -> gen_server:stop(nobody_home) end),
    t(15, fun() -> gen_server:multi_call([node()], nobody_home, x) end),
    t(16, fun() -> element(1, gen_server:wait_response(gen_server:send_request(nobody_home, x), 10)) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).


init(_) -> {ok, 0}.
handle_call(now, _, S) -> {reply, S, S};
handle_call(later, From, S) -> erlang:send_after(20, self(), {answer, From}), {noreply, S};
handle_call(twice, From, S) -> gen_server:reply(From, first), {reply, second, S};
handle_call(never, _, S) -> {noreply, S};
handle_call(stop, _, S) -> {stop, normal, bye, S};
handle_call(die, _, S) -> exit(dead), {reply, S, S};
handle_call(crash, _, S) -> error(broken), {reply, S, S};
handle_call(bad, _, _) -> nonsense.
handle_cast(_, S) -> {noreply, S}.
handle_info({answer, From}, S) -> gen_server:reply(From, late), {noreply, S};
handle_info(_, S) -> {noreply, S}.
flush() -> receive M -> [shape(M) | flush()] after 0 -> [] end.
shape({Tag, X}) when is_reference(Tag) -> {ref, X};
shape({[alias | _], X}) -> {alias, X};
shape(M) -> M.
go(Request, Timeout, Wait) ->
    {ok, P} = gen_server:start(?MODULE, [], []),
    R = try gen_server:call(P, Request, Timeout) of
            V -> {ok, V}
        catch
            exit:{Why, {gen_server, call, [_, Req, T]}} -> {exit, plain(Why), Req, T}
        end,
    receive after Wait -> ok end,
    L = flush(),
    exit(P, kill),
    {R, L}.
plain({Reason, Stack}) when is_list(Stack) -> {Reason, stack};
plain(Reason) -> Reason.
