%! run: call_in_one_direction:test/0
%! verdict: holds
%% If only one of two servers calls the other there is no circle.
-module(call_in_one_direction).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, Back} = gen_server:start(?MODULE, [], []),
    {ok, Front} = gen_server:start(?MODULE, [], []),
    Self = self(),
    [spawn(fun() -> ok = gen_server:call(Front, {ask, Back}, infinity), Self ! done end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    gen_server:stop(Front),
    gen_server:stop(Back).

init(S) -> {ok, S}.
handle_call({ask, Other}, _From, S) -> {reply, gen_server:call(Other, plain, infinity), S};
handle_call(plain, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
