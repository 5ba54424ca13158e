%! run: ends_or_is_late:test/0
%! verdict: assertion
%! stateless(optimal): assertion, interleavings = 2
%% The server never answers. The caller gives up after a while, or hears first that the server has ended; the test expects
%% the former only.
-module(ends_or_is_late).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {ok, Server} = gen_server:start(?MODULE, [], []),
    Me = self(),
    spawn(fun() -> receive asked -> gen_server:cast(Server, leave) end end) ! asked,
    Answer = try gen_server:call(Server, {question, Me}, 100) catch exit:{Reason, _} -> Reason end,
    ?assertNotEqual(normal, Answer).

init([]) -> {ok, none}.
handle_call({question, _}, _From, State) -> {noreply, State}.
handle_cast(leave, State) -> {stop, normal, State}.
