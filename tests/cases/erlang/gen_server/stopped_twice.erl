%! run: stopped_twice:test/0
%! verdict: abnormal_exit
%% The second of two stops finds nobody.
-module(stopped_twice).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    [spawn(fun() -> gen_server:stop(S) end) || _ <- [1, 2]].

init(S) -> {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
