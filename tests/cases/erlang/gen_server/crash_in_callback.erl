%! run: crash_in_callback:test/0
%! verdict: abnormal_exit
%% A callback that fails takes the server and its caller down.
-module(crash_in_callback).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    spawn(fun() -> gen_server:call(S, {divide, 1, 0}, infinity) end).

init(S) -> {ok, S}.
handle_call({divide, A, B}, _From, S) -> {reply, A div B, S}.
handle_cast(_, S) -> {noreply, S}.
