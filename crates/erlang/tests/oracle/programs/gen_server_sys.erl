%% sys:get_state and replace_state; suspend and resume.
-module(gen_server_sys).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, P} = gen_server:start_link(?MODULE, #{n => 1}, []),
    p(sys:get_state(P)),
    p(sys:replace_state(P, fun(S) -> S#{n := 7} end)),
    p(gen_server:call(P, get)),
    p(sys:suspend(P)),
    p(try gen_server:call(P, get, 10) catch exit:{R, _} -> R end),
    p(sys:resume(P)),
    p(gen_server:call(P, get)),
    gen_server:stop(P).

init(S) -> {ok, S}.
handle_call(get, _, S) -> {reply, S, S}.
handle_cast(_, S) -> {noreply, S}.

p(X) -> io:format("~p~n", [X]).
