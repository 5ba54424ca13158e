-module(app_tree).
-behaviour(application).
-export([main/0, start/2, stop/1, init/1, start_worker/1, handle_call/3, handle_cast/2]).

main() ->
    ok = application:load({application, low, [{description, "low"}, {vsn, "1"}, {modules, []},
                                              {registered, []}, {applications, [kernel, stdlib]}]}),
    ok = application:load({application, app, [{description, "app"}, {vsn, "1"}, {modules, [?MODULE]},
                                              {registered, [worker]}, {applications, [kernel, stdlib, low]},
                                              {mod, {?MODULE, [args]}}, {env, [{size, 3}]}]}),
    io:format("~p~n", [application:start(app)]),
    io:format("~p~n", [application:ensure_all_started(app)]),
    io:format("~p~n", [application:start(app)]),
    io:format("~p~n", [gen_server:call(worker, hello)]),
    io:format("~p ~p ~p~n", [application:get_env(app, size), application:get_env(app, none),
                             application:get_env(app, none, 7)]),
    application:set_env(app, size, 4),
    io:format("~p~n", [application:get_env(app, size)]),
    io:format("~p~n", [application:stop(app)]),
    io:format("~p~n", [whereis(worker)]),
    io:format("~p~n", [application:stop(app)]),
    io:format("~p~n", [application:start(app)]),
    gen_server:cast(worker, crash),
    timer:sleep(20),
    io:format("~p~n", [gen_server:call(worker, hello)]),
    io:format("~p~n", [application:stop(app)]),
    io:format("~p~n", [application:start(missing)]).

start(Type, Args) ->
    io:format("start ~p ~p~n", [Type, Args]),
    supervisor:start_link({local, top}, ?MODULE, top).
stop(State) -> io:format("stop ~p~n", [State]).

init(top) -> {ok, {#{}, [#{id => w, start => {?MODULE, start_worker, [w]}}]}};
init(Name) -> {ok, Name}.
start_worker(Name) -> gen_server:start_link({local, worker}, ?MODULE, Name, []).
handle_call(hello, _, Name) -> {reply, {hello, Name}, Name}.
handle_cast(crash, _) -> exit(crash).
