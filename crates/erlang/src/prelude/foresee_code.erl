%% Which modules a program has made and loaded while it runs. A call that may be of one is compiled to ask `resolve`; functions
%% of module `code` that loading changes the answer of are compiled to those of the same name here.
%% Loaded code is a persistent term, so a call of a module races with loading it. An object is a binary of
%% `{foresee_code, Module, Forms}`; that of a module which is there as text is one of `{foresee_text, Module}`.
-module(foresee_code).
-export([resolve/3, original/3, load_binary/3, delete/1, purge/1, soft_purge/1, is_loaded/1, which/1, ensure_loaded/1,
         get_object_code/1, function_exported/3, module_loaded/1, load_file/1, is_sticky/1, forms/1, apply/3]).

resolve(Module, Function, Arity) ->
    case persistent_term:get({foresee_code, Module}, none) of
        none -> erlang:make_fun(Module, Function, Arity);
        {_, Forms} when Function =:= module_info, Arity =:= 0 -> fun() -> facts(Module, Forms) end;
        {_, Forms} when Function =:= module_info, Arity =:= 1 ->
            fun(Key) -> proplists:get_value(Key, facts(Module, Forms)) end;
        {Key, Forms} ->
            case foresee_code:function(Key, Forms, Function, Arity) of
                none -> error(undef);
                Fun -> Fun
            end
    end.

facts(Module, Forms) ->
    Exports = lists:append([Names || {attribute, _, export, Names} <- Forms]),
    Said = [{Name, case is_list(Value) of true -> Value; false -> [Value] end}
            || {attribute, _, Name, Value} <- Forms,
               not lists:member(Name, [module, export, import, record, type, opaque, spec, file, compile])],
    [{module, Module}, {exports, Exports ++ [{module_info, 0}, {module_info, 1}]}, {attributes, Said}, {compile, []}].

%% A function as the program's text has it.
original(Module, Function, Arguments) -> erlang:apply(Module, Function, Arguments).

%% As the module is now.
apply(Module, Function, Arguments) -> erlang:apply(resolve(Module, Function, length(Arguments)), Arguments).

load_binary(Module, _, Object) ->
    case forms(Object) of
        {made, Module, Forms} ->
            persistent_term:put({foresee_code, Module}, {erlang:md5(Object), Forms}),
            {module, Module};
        {text, Module} ->
            persistent_term:erase({foresee_code, Module}),
            {module, Module};
        _ -> {error, badfile}
    end.

%% What an object is made of.
forms(Object) ->
    try binary_to_term(Object) of
        {foresee_code, Module, Forms} -> {made, Module, Forms};
        {foresee_text, Module} -> {text, Module};
        _ -> none
    catch error:badarg -> none
    end.

%% What is there as text is loaded again by the next call.
delete(Module) -> persistent_term:erase({foresee_code, Module}) orelse code:is_loaded(Module) =/= false.
purge(_) -> false.
soft_purge(_) -> true.

is_made(Module) -> persistent_term:get({foresee_code, Module}, none) =/= none.

is_loaded(Module) ->
    case is_made(Module) of
        true -> {file, ""};
        false -> code:is_loaded(Module)
    end.
which(Module) ->
    case is_made(Module) of
        true -> "";
        false -> code:which(Module)
    end.
ensure_loaded(Module) ->
    case is_made(Module) of
        true -> {module, Module};
        false -> code:ensure_loaded(Module)
    end.
load_file(Module) ->
    persistent_term:erase({foresee_code, Module}),
    code:load_file(Module).
is_sticky(_) -> false.
module_loaded(Module) -> is_made(Module) orelse erlang:module_loaded(Module).

get_object_code(Module) ->
    case code:ensure_loaded(Module) of
        {module, _} -> {Module, term_to_binary({foresee_text, Module}), "/project/ebin/" ++ atom_to_list(Module) ++ ".beam"};
        _ -> error
    end.

function_exported(Module, Function, Arity) ->
    case persistent_term:get({foresee_code, Module}, none) of
        none -> erlang:function_exported(Module, Function, Arity);
        {Key, Forms} -> foresee_code:function(Key, Forms, Function, Arity) =/= none
    end.
