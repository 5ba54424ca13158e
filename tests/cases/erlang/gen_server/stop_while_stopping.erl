%! run: stop_while_stopping:test/0
%! verdict: abnormal_exit
%% A server that ends by itself before it takes the request to stop never answers it: the caller exits, though the reasons are equal.
-module(stop_while_stopping).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2]).
init(_) -> {ok, 0}.
handle_call(_, _, S) -> {reply, S, S}.
handle_cast(stop, S) -> {stop, normal, S};
handle_cast(fail, S) -> {stop, {shutdown, fail}, S}.
test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    gen_server:cast(S, stop),
    try gen_server:stop(S) of ok -> ok
    catch exit:noproc -> ok;
          exit:{normal, {sys, terminate, [S, normal, infinity]}} -> exit(stop_failed)
    end.
