%! run: timeout_not_first:test/0
%! verdict: assertion
%% Two clients read and then write, so an update may be lost, which the assertion finds. Each of their calls may also time out after
%% its default five seconds; nobody has written that down, so it is not what is shown first.
-module(timeout_not_first).
-behaviour(gen_server).
-include_lib("eunit/include/eunit.hrl").
-export([test/0, init/1, handle_call/3, handle_cast/2]).

init(N) -> {ok, N}.
handle_call(get, _From, N) -> {reply, N, N};
handle_call({set, M}, _From, _) -> {reply, ok, M}.
handle_cast(stop, N) -> {stop, normal, N}.

test() ->
    {ok, Server} = gen_server:start_link(?MODULE, 0, []),
    Self = self(),
    Add = fun() ->
        N = gen_server:call(Server, get),
        ok = gen_server:call(Server, {set, N + 1}),
        Self ! done
    end,
    spawn_link(Add),
    spawn_link(Add),
    receive done -> ok end,
    receive done -> ok end,
    Total = gen_server:call(Server, get, infinity),
    gen_server:cast(Server, stop),
    ?assertEqual(2, Total).
