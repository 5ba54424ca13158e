%% A call that is not answered in time, and the server's own timeouts.
-module(gen_server_timeout).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

main() ->
    {ok, Pid} = gen_server:start(?MODULE, self(), []),
    p(try gen_server:call(Pid, ignore, 20) catch exit:{R, {gen_server, call, [_, Q, T]}} -> {R, Q, T} end),
    p(gen_server:call(Pid, {idle, 10})),
    receive M -> p(M) end,
    gen_server:stop(Pid).

init(Parent) -> {ok, Parent}.
handle_call(ignore, _, P) -> {noreply, P};
handle_call({idle, T}, _, P) -> {reply, ok, P, T}.
handle_cast(_, P) -> {noreply, P}.
handle_info(timeout, P) -> P ! idle_for_a_while, {noreply, P}.

p(X) -> io:format("~p~n", [X]).
