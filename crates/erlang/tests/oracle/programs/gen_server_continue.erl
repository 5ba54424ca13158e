%% handle_continue runs before anything else.
-module(gen_server_continue).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_continue/2, handle_call/3, handle_cast/2]).

main() ->
    {ok, P} = gen_server:start_link(?MODULE, [], []),
    p(gen_server:call(P, get)),
    p(gen_server:call(P, again)),
    p(gen_server:call(P, get)),
    gen_server:stop(P).

init([]) -> {ok, [init], {continue, first}}.
handle_continue(first, S) -> {noreply, [first | S], {continue, second}};
handle_continue(X, S) -> {noreply, [X | S]}.
handle_call(get, _, S) -> {reply, lists:reverse(S), S};
handle_call(again, _, S) -> {reply, ok, S, {continue, later}}.
handle_cast(_, S) -> {noreply, S}.

p(X) -> io:format("~p~n", [X]).
