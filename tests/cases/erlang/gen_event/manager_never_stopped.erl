%! run: manager_never_stopped:test/0
%! verdict: deadlock
%% The event manager is a process like any other and must be stopped.
-module(manager_never_stopped).
-export([test/0]).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2]).

test() ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, ?MODULE, []),
    gen_event:notify(M, hello).

init(S) -> {ok, S}.
handle_event(_, S) -> {ok, S}.
handle_call(_, S) -> {ok, ok, S}.
