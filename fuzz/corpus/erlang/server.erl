-module(bell).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).
-record(st, {n = 0 :: integer(), q = []}).
-define(LIMIT, 3).
-ifdef(TEST).
-include_lib("eunit/include/eunit.hrl").
-endif.
-spec start_link() -> {ok, pid()} | {error, term()}.
start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).
init([]) -> {ok, #st{}}.
handle_call({ring, N}, _From, S = #st{n = M}) when N > 0, M + N =< ?LIMIT; N =:= 1 ->
    {reply, ok, S#st{n = M + N}};
handle_call(Other, _, S) -> {reply, {error, Other}, S}.
handle_cast(reset, S) -> {noreply, S#st{n = 0, q = [X || {X, _} <- S#st.q, X > 1]}}.
handle_info(_, S) -> {noreply, S}.
