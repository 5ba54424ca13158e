%! run: already_started_not_expected:test/0
%! verdict: abnormal_exit
%% Both starters expect to be first.
-module(already_started_not_expected).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    [spawn(fun() ->
        {ok, P} = gen_server:start({local, the_server}, ?MODULE, [], []),
        gen_server:cast(P, stop)
    end) || _ <- [1, 2]].

init(S) -> {ok, S}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(stop, S) -> {stop, normal, S}.
