% An application that asks for its own environment while it is being started, in its callback module and in its server.
-module(application_starting).
-behaviour(gen_server).
-export([main/0, start/2, stop/1, init/1, handle_call/3, handle_cast/2]).

main() ->
    ok = application:load({application, shop, [{vsn, "1"}, {mod, {application_starting, []}}, {env, [{size, 3}]}]}),
    io:format("~p~n", [application:start(shop)]),
    io:format("~p ~p~n", [persistent_term:get(seen), gen_server:call(shop, tell)]),
    io:format("~p~n", [application:get_application()]),
    ok = application:set_env(shop, refuse, true),
    ok = application:stop(shop),
    io:format("~p~n", [application:start(shop)]),
    io:format("~p~n", [application:get_application()]),
    ok = application:unload(shop).

start(normal, []) ->
    persistent_term:put(seen, {application:get_application(), application:get_env(size)}),
    case application:get_env(refuse) of
        {ok, true} -> {error, refused};
        undefined -> gen_server:start_link({local, shop}, ?MODULE, [], [])
    end.

stop(_) -> ok.

init([]) -> {ok, {application:get_application(), application:get_env(size)}}.

handle_call(tell, _, State) -> {reply, State, State}.

handle_cast(_, State) -> {noreply, State}.
