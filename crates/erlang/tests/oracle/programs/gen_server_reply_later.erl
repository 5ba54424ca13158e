%% noreply now, gen_server:reply later.
-module(gen_server_reply_later).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Pid} = gen_server:start_link(?MODULE, [], []),
    Self = self(),
    Waiter = spawn(fun() -> Self ! {waited, gen_server:call(Pid, wait)} end),
    wait_for_waiter(Pid),
    p(gen_server:call(Pid, release)),
    receive {waited, X} -> p(X) end,
    p(is_pid(Waiter)),
    gen_server:stop(Pid).

wait_for_waiter(Pid) ->
    case gen_server:call(Pid, count) of
        0 -> timer:sleep(1), wait_for_waiter(Pid);
        _ -> ok
    end.

init([]) -> {ok, []}.
handle_call(wait, From, Ws) -> {noreply, [From | Ws]};
handle_call(count, _, Ws) -> {reply, length(Ws), Ws};
handle_call(release, _, Ws) -> [gen_server:reply(W, released) || W <- Ws], {reply, length(Ws), []}.
handle_cast(_, S) -> {noreply, S}.

p(X) -> io:format("~p~n", [X]).
