-module(chat_user).
-behaviour(gen_server).
-export([start_link/1, init/1, handle_call/3, handle_cast/2, handle_continue/2]).
start_link(Name) -> gen_server:start_link({local, Name}, ?MODULE, Name, []).
init(Name) -> {ok, {Name, 0}, {continue, join}}.
handle_continue(join, S) ->
    ok = gen_server:call(room, join, infinity),
    gen_server:cast(room, {say, self(), hello}),
    {noreply, S}.
handle_call(count, _From, {Name, N}) -> {reply, N, {Name, N}}.
handle_cast({msg, _From, hello}, {Name, N}) -> {noreply, {Name, N + 1}}.
