%! run: stop_before_answer:test/0
%! verdict: abnormal_exit
%! stateful(bfs): abnormal_exit, states = 32, transitions = 39, depth = 10
%! stateless(optimal): abnormal_exit, interleavings = 2
%% A client whose server is stopped before it answers exits.
-module(stop_before_answer).
-export([test/0]).

-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    spawn(fun() -> gen_server:call(Server, hello, infinity) end),
    gen_server:stop(Server).

init([]) -> {ok, []}.
handle_call(hello, _, S) -> {reply, world, S}.
handle_cast(_, S) -> {noreply, S}.
