%! run: call_each_other:test/0
%! verdict: deadlock
%% Two servers that call each other from their callbacks can wait for each other.
-module(call_each_other).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, A} = gen_server:start(?MODULE, [], []),
    {ok, B} = gen_server:start(?MODULE, [], []),
    Self = self(),
    [spawn(fun() -> gen_server:call(X, {ask, Y}, infinity), Self ! done end) || {X, Y} <- [{A, B}, {B, A}]],
    [receive done -> ok end || _ <- [1, 2]],
    gen_server:stop(A),
    gen_server:stop(B).

init(S) -> {ok, S}.
handle_call({ask, Other}, _From, S) -> {reply, gen_server:call(Other, plain, infinity), S};
handle_call(plain, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
