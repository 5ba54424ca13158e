%! run: two_clients:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 221, transitions = 477, depth = 27
%! stateless(optimal): holds, interleavings = 4
%% Two clients of one server: both are answered, in either order.
-module(two_clients).
-export([test/0]).

-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, Server} = gen_server:start_link(?MODULE, 0, []),
    Main = self(),
    [spawn_link(fun() -> Main ! gen_server:call(Server, next, infinity) end) || _ <- [1, 2]],
    [1, 2] = lists:sort([receive N -> N end || _ <- [1, 2]]),
    gen_server:stop(Server).

init(N) -> {ok, N}.
handle_call(next, _, N) -> {reply, N + 1, N + 1}.
handle_cast(_, N) -> {noreply, N}.
