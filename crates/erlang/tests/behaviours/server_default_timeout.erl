-module(server_default_timeout).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

main() ->
    {ok, _} = gen_server:start({local, s}, ?MODULE, [], []),
    io:format("~p~n", [catch gen_server:call(s, {wait, 6000})]),
    io:format("~p~n", [gen_server:call(s, {wait, 3000})]),
    receive M -> io:format("late ~p~n", [M]) after 0 -> io:format("no late answer~n") end.

init([]) -> {ok, []}.
handle_call({wait, T}, _, S) -> timer:sleep(T), {reply, {waited, T}, S}.
handle_cast(_, S) -> {noreply, S}.
