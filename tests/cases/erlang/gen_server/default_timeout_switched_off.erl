%! run: default_timeout_switched_off:test/0
%! verdict: holds
%% With after_timeout 5000 the default timeout of a call never fires.
-module(default_timeout_switched_off).
-export([test/0]).
-concuerror_options([{after_timeout, 5000}]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start_link(?MODULE, [], []),
    pong = gen_server:call(S, ping),
    gen_server:stop(S).

init(S) -> {ok, S}.
handle_call(ping, _From, S) -> {reply, pong, S}.
handle_cast(_, S) -> {noreply, S}.
