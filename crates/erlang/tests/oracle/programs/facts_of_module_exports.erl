-module(facts_of_module_exports).
-export([main/0]).
-author(me).
-tag(one).
-tag([two, three]).
-export([helper/1]).

main() ->
    t(1, fun() -> lists:sort(?MODULE:module_info(exports)) end),
    t(2, fun() -> ?MODULE:module_info(module) end),
    t(3, fun() -> proplists:get_value(author, ?MODULE:module_info(attributes)) end),
    t(4, fun() -> proplists:get_all_values(tag, ?MODULE:module_info(attributes)) end),
    t(5, fun() -> ?MODULE:module_info(nothing) end),
    t(6, fun() -> [K || {K, _} <- ?MODULE:module_info(), K =/= md5] end),
    t(7, fun() -> erlang:function_exported(?MODULE, module_info, 0) end),
    t(8, fun() -> erlang:function_exported(?MODULE, helper, 1) end),
    t(9, fun() -> erlang:function_exported(?MODULE, hidden, 1) end).

t(N, F) ->
    Outcome = try F() of
                  Value -> {value, Value}
              catch
                  Class:Reason -> {Class, Reason}
              end,
    io:format("~w ~tp~n", [N, Outcome]).

helper(X) -> hidden(X).
hidden(X) -> X.
