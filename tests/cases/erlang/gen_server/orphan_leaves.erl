%! run: orphan_leaves:test/0
%! verdict: holds
%% A linked server that traps exits ends with its parent.
-module(orphan_leaves).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, _} = gen_server:start_link(?MODULE, [], []).

init(S) -> process_flag(trap_exit, true), {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
