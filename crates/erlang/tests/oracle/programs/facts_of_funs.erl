-module(facts_of_funs).
-export([main/0]).

main() ->
    t(1, fun() -> erlang:fun_info(fun lists:map/2, arity) end),
    t(2, fun() -> erlang:fun_info(fun lists:map/2, module) end),
    t(3, fun() -> erlang:fun_info(fun lists:map/2, name) end),
    t(4, fun() -> erlang:fun_info(fun lists:map/2, type) end),
    t(5, fun() -> erlang:fun_info(fun lists:map/2, env) end),
    t(6, fun() -> erlang:fun_info(fun helper/1, arity) end),
    t(7, fun() -> erlang:fun_info(fun helper/1, type) end),
    t(8, fun() -> element(2, erlang:fun_info(fun(X) -> X end, module)) end),
    t(9, fun() -> is_function(fun helper/1, 1) end),
    t(10, fun() -> is_function(fun helper/1, 2) end),
    t(11, fun() -> is_function(fun helper/1) end),
    t(12, fun() -> is_function(helper) end),
    t(13, fun() -> fun lists:map/2 =:= fun lists:map/2 end),
    t(14, fun() -> fun helper/1 == fun helper/1 end),
    t(15, fun() -> (fun lists:reverse/1)([1,2]) end),
    t(16, fun() -> apply(fun(A, B) -> A - B end, [5, 3]) end),
    t(17, fun() -> apply(lists, nothing, []) end),
    t(18, fun() -> nothing:at_all() end),
    t(19, fun() -> (id(1))(2) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

helper(X) -> X.
id(X) -> X.
