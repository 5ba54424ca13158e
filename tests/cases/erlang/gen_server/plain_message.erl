%! run: plain_message:test/0
%! verdict: holds
%% A plain message ends in handle_info.
-module(plain_message).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    S ! {hello, self()},
    receive hello_back -> ok end,
    gen_server:stop(S).

init(S) -> {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info({hello, From}, S) -> From ! hello_back, {noreply, S}.
