%% Settings of an application that need no file.
-module(application_environment).
-export([main/0]).

main() ->
    p(application:get_env(no_app, key)), p(application:get_env(no_app, key, default)),
    p(application:set_env(no_app, key, value)), p(application:get_env(no_app, key)),
    p(application:get_env(key)),
    p(application:unset_env(no_app, key)), p(application:get_env(no_app, key)),
    p(element(1, application:start(no_such_application))),
    p(application:stop(no_such_application)).

p(X) -> io:format("~p~n", [X]).
