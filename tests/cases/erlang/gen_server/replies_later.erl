%! run: replies_later:test/0
%! verdict: holds
%% A meeting point: the first caller is answered when the second comes.
-module(replies_later).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, none, []),
    Self = self(),
    [spawn(fun() -> met = gen_server:call(S, meet, infinity), Self ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    gen_server:stop(S).

init(S) -> {ok, S}.
handle_call(meet, From, none) -> {noreply, From};
handle_call(meet, _From, First) -> gen_server:reply(First, met), {reply, met, none}.
handle_cast(_, S) -> {noreply, S}.
