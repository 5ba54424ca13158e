%! run: made_module:main/0
%! verdict: abnormal_exit
%% A module is made, used by another process, and deleted. Who calls it when it is gone gets an undef: loading and deleting race with
%% calls.
-module(made_module).
-export([main/0]).

main() ->
    Body = {clause, 1, [], [], [{atom, 1, made}]},
    Forms = [{attribute, 1, module, shop}, {attribute, 1, export, [{what, 0}]}, {function, 1, what, 0, [Body]}],
    {ok, shop, Object} = compile:forms(Forms),
    {module, shop} = code:load_binary(shop, "", Object),
    spawn(fun() -> made = shop:what() end),
    true = code:delete(shop).
