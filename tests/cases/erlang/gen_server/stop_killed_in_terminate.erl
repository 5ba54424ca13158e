%! run: stop_killed_in_terminate:test/0
%! verdict: holds
%% A server that has agreed to stop and is killed in its terminate ends the caller with the bare reason.
-module(stop_killed_in_terminate).
-concuerror_options([{treat_as_normal, killed}]).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2, terminate/2]).
init(_) -> {ok, 0}.
handle_call(_, _, S) -> {reply, S, S}.
handle_cast(stop, S) -> {stop, normal, S};
handle_cast(fail, S) -> {stop, {shutdown, fail}, S}.
terminate(_, _) -> stopper ! terminating, receive never -> ok end.
test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    register(stopper, spawn(fun() -> receive terminating -> exit(S, kill) end end)),
    try gen_server:stop(S) of ok -> exit(never)
    catch exit:killed -> ok
    end.
