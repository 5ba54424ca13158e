%% Modules that are made while the program runs.
-module(made_modules).
-export([main/0]).

main() ->
    {ok, sum_up, First} = compile:forms(forms(1)),
    {module, sum_up} = code:load_binary(sum_up, "", First),
    io:format("~p~n", [sum_up:add(41)]),
    Module = sum_up,
    io:format("~p ~p~n", [Module:add(1), erlang:function_exported(Module, add, 1)]),
    {ok, sum_up, Second, []} = compile:forms(forms(10), [return]),
    {module, sum_up} = code:load_binary(sum_up, "", Second),
    io:format("~p ~p~n", [sum_up:add(41), sum_up:each([1, 2])]),
    io:format("~p~n", [catch_of(fun() -> sum_up:missing() end)]),
    io:format("~p ~p~n", [code:is_loaded(sum_up) =/= false, code:purge(sum_up)]),
    io:format("~p~n", [code:delete(sum_up)]),
    io:format("~p~n", [catch_of(fun() -> sum_up:add(1) end)]),
    {ok, sum_up, Third} = compile:noenv_forms(forms(3), []),
    {error, badfile} = code:load_binary(sum_up, "", <<"nothing">>),
    {ok, {sum_up, [{exports, Exports}]}} = beam_lib:chunks(Third, [exports]),
    io:format("~p~n", [[Export || {Name, _} = Export <- Exports, Name =/= module_info]]).

catch_of(F) ->
    try F() catch error:undef -> undef end.

%% add(X) -> X + N. each(Xs) -> [add(X) || X <- Xs].
forms(N) ->
    Add = {clause, 4, [{var, 4, 'X'}], [], [{op, 4, '+', {var, 4, 'X'}, {integer, 4, N}}]},
    Call = {call, 5, {atom, 5, add}, [{var, 5, 'X'}]},
    Each = {clause, 5, [{var, 5, 'Xs'}], [], [{lc, 5, Call, [{generate, 5, {var, 5, 'X'}, {var, 5, 'Xs'}}]}]},
    [{attribute, 1, module, sum_up}, {attribute, 2, export, [{add, 1}, {each, 1}]},
     {function, 4, add, 1, [Add]}, {function, 5, each, 1, [Each]}].
