%% The environment and properties of applications, asked in every way.
-module(application_keys).
-export([main/0]).

main() ->
    App = {application, shop, [{description, "a shop"}, {vsn, "1.2"}, {modules, [application_keys, till]}, {registered, []},
                               {applications, [kernel, stdlib]}, {env, [{size, 3}, {colour, red}]}]},
    p(application:load(App)),
    p(application:load(App)),
    p(application:get_env(shop, size)), p(application:get_env(shop, none)), p(application:get_env(shop, none, default)),
    p(lists:sort(application:get_all_env(shop))),
    p(application:set_env([{shop, [{size, 4}, {new, x}]}])),
    p(lists:sort(application:get_all_env(shop))),
    p(application:unset_env(shop, size)),
    p(application:get_env(shop, size)),
    p(application:get_key(shop, vsn)), p(application:get_key(shop, nosuch)), p(application:get_key(none, vsn)),
    p(application:get_application(till)), p(application:get_application(no_such_module)),
    p(lists:keyfind(shop, 1, application:loaded_applications())),
    p(application:start(shop)), p(application:start(shop)),
    p(lists:keyfind(shop, 1, application:which_applications())),
    p(application:stop(shop)), p(application:stop(shop)),
    p(application:unload(shop)),
    p(application:get_all_env(shop)).

p(X) -> io:format("~p~n", [X]).
