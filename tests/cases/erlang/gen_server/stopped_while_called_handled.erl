%! run: stopped_while_called_handled:test/0
%! verdict: holds
%% The caller is ready for a server that is gone.
-module(stopped_while_called_handled).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, [], []),
    spawn(fun() ->
        R = try gen_server:call(S, ping, infinity)
            catch exit:{noproc, _} -> gone; exit:{normal, _} -> gone
            end,
        true = lists:member(R, [pong, gone])
    end),
    gen_server:stop(S).

init(S) -> {ok, S}.
handle_call(ping, _From, S) -> {reply, pong, S}.
handle_cast(_, S) -> {noreply, S}.
