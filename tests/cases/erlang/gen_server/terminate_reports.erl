%! run: terminate_reports:test/0
%! verdict: holds
%% terminate runs when the server is stopped, before stop returns.
-module(terminate_reports).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, terminate/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, self(), []),
    ok = gen_server:stop(S),
    receive {terminated, normal} -> ok after 0 -> error(too_early) end.

init(Boss) -> {ok, Boss}.
handle_call(_, _From, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
terminate(Reason, Boss) -> Boss ! {terminated, Reason}.
