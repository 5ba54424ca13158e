%! run: asynchronous_requests:test/0
%! verdict: holds
%% send_request lets two servers work at the same time; the answers are told apart by their request.
-module(asynchronous_requests).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, A} = gen_server:start(?MODULE, 1, []),
    {ok, B} = gen_server:start(?MODULE, 2, []),
    Ra = gen_server:send_request(A, get),
    Rb = gen_server:send_request(B, get),
    {reply, Nb} = gen_server:receive_response(Rb, infinity),
    {reply, Na} = gen_server:receive_response(Ra, infinity),
    ?assertEqual({1, 2}, {Na, Nb}),
    gen_server:stop(A),
    gen_server:stop(B).

init(N) -> {ok, N}.
handle_call(get, _From, N) -> {reply, N, N}.
handle_cast(_, N) -> {noreply, N}.
