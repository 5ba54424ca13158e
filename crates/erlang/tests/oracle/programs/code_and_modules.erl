%% What a program can ask about modules.
-module(code_and_modules).
-export([main/0]).

main() ->
    p(erlang:module_loaded(lists)),
    p(erlang:module_loaded(no_such_module)),
    p(code:is_loaded(no_such_module)),
    p(erlang:function_exported(lists, map, 2)),
    p(code:ensure_loaded(lists)),
    p(is_list(lists:module_info(exports))).

p(X) -> io:format("~p~n", [X]).
