%! run: statem_stop_while_stopping:test/0
%! verdict: abnormal_exit
%% As a server: a machine that stops by itself first leaves gen_statem:stop with an exit.
-module(statem_stop_while_stopping).
-behaviour(gen_statem).
-export([test/0, init/1, callback_mode/0, idle/3]).
init(_) -> {ok, idle, []}.
callback_mode() -> state_functions.
idle(cast, stop, _) -> stop.
test() ->
    {ok, S} = gen_statem:start(?MODULE, [], []),
    gen_statem:cast(S, stop),
    try gen_statem:stop(S) of ok -> ok
    catch exit:noproc -> ok;
          exit:{normal, {sys, terminate, _}} -> exit(stop_failed)
    end.
