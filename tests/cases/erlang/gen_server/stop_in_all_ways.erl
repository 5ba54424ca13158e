%! run: stop_in_all_ways:test/0
%! verdict: holds
%% All that gen_server:stop can come to: ok never, when another ends the server with the same reason before.
-module(stop_in_all_ways).
-concuerror_options([{treat_as_normal, shutdown}]).
-behaviour(gen_server).
-export([test/0, init/1, handle_call/3, handle_cast/2]).
init(_) -> {ok, 0}.
handle_call(_, _, S) -> {reply, S, S}.
handle_cast(stop, S) -> {stop, normal, S};
handle_cast(fail, S) -> {stop, {shutdown, fail}, S}.
test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    gen_server:cast(S, fail),
    try gen_server:stop(S, {shutdown, fail}, 1000) of ok -> exit(never)
    catch exit:noproc -> ok;
          exit:timeout -> ok;
          exit:{{shutdown, fail}, {sys, terminate, [S, {shutdown, fail}, 1000]}} -> ok
    end.
