%! run: already_started:test/0
%! verdict: holds
%% Two starters of one registered server: one starts it, the other learns who it is.
-module(already_started).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    Self = self(),
    [spawn(fun() ->
        P = case gen_server:start({local, the_server}, ?MODULE, [], []) of
            {ok, Pid} -> Pid;
            {error, {already_started, Pid}} -> Pid
        end,
        Self ! {server, P}
    end) || _ <- [1, 2]],
    [A, B] = [receive {server, P} -> P end || _ <- [1, 2]],
    ?assertEqual(A, B),
    gen_server:stop(the_server).

init(S) -> {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
