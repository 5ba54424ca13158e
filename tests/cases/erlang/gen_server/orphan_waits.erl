%! run: orphan_waits:test/0
%! verdict: deadlock
%% The parent ends normally, which a linked server that does not trap exits does not notice.
-module(orphan_waits).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, _} = gen_server:start_link(?MODULE, [], []).

init(S) -> {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
