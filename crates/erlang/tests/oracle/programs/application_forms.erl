%% Applications by description, started, asked and stopped.
-module(application_forms).
-behaviour(application).
-export([main/0, start/2, stop/1, loop/0]).

main() ->
    App = {application, forms_app, [{description, "forms"}, {vsn, "1"}, {modules, [?MODULE]}, {registered, []},
                                    {applications, [kernel, stdlib]}, {env, [{k, 1}]}, {mod, {?MODULE, []}}]},
    p(application:load(App)),
    p(lists:keymember(forms_app, 1, application:loaded_applications())),
    p(application:get_key(forms_app, vsn)),
    p(application:get_key(forms_app, no_such_key)),
    p(application:set_env(forms_app, k, 2, [])),
    p(application:get_env(forms_app, k)),
    p(application:ensure_started(forms_app)),
    p(application:ensure_started(forms_app, temporary)),
    p(lists:keyfind(forms_app, 1, application:which_applications())),
    p(application:stop(forms_app)),
    p(application:start(forms_app, temporary)),
    p(application:ensure_all_started(forms_app, temporary)),
    p(application:stop(forms_app)),
    p(application:unload(forms_app)),
    p(application:get_application()).

start(_, []) -> {ok, spawn_link(?MODULE, loop, [])}.
stop(_) -> ok.

loop() -> receive stop -> ok end.

p(X) -> io:format("~p~n", [X]).
