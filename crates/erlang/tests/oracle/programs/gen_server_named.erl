%% Local names, already_started, calls by name, noproc.
-module(gen_server_named).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, Pid} = gen_server:start({local, the_server}, ?MODULE, [], []),
    p(whereis(the_server) =:= Pid),
    {error, {already_started, Other}} = gen_server:start({local, the_server}, ?MODULE, [], []),
    p(Other =:= Pid),
    p(gen_server:call(the_server, hello)),
    p(gen_server:call({the_server, node()}, hello)),
    p(gen_server:stop(the_server)),
    p(try gen_server:call(the_server, hello) catch exit:R -> R end),
    p(gen_server:cast(the_server, hello)),
    p(try gen_server:stop(the_server) catch exit:R2 -> R2 end).

init([]) -> {ok, none}.
handle_call(X, _From, S) -> {reply, {echo, X}, S}.
handle_cast(_, S) -> {noreply, S}.

p(X) -> io:format("~p~n", [X]).
