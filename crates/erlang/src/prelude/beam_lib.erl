%% What objects tell of themselves. The abstract code of a module that is there as text is told as functions that call those
%% of the text: who compiles it under another name has the original by that name.
-module(beam_lib).
-export([chunks/2]).

chunks(Object, Names) when is_binary(Object) ->
    case foresee_code:forms(Object) of
        none -> {error, beam_lib, {not_a_beam_file, Object}};
        Known -> {ok, {element(2, Known), [{Name, chunk(Name, Known)} || Name <- Names]}}
    end;
%% What `code:which` gives of every module here; there is no file to look into.
chunks(preloaded, _) -> erlang:'$not_modelled'(beam_lib, chunks, 2);
chunks(File, _) -> {error, beam_lib, {file_error, File, enoent}}.

chunk(abstract_code, {made, _, Forms}) -> {raw_abstract_v1, Forms};
chunk(abstract_code, {text, Module}) -> {raw_abstract_v1, wrappers(Module)};
chunk(compile_info, _) -> [{version, "8"}, {options, []}, {source, ""}];
chunk(exports, {text, Module}) -> lists:sort(Module:module_info(exports));
chunk(exports, {made, _, Forms}) -> lists:sort(lists:append([Names || {attribute, _, export, Names} <- Forms]));
chunk(attributes, {text, Module}) -> Module:module_info(attributes);
chunk(attributes, _) -> [];
chunk(_, _) -> missing_chunk.

wrappers(Module) ->
    Exports = [Export || {Name, _} = Export <- Module:module_info(exports), Name =/= module_info],
    [{attribute, 1, module, Module}, {attribute, 1, export, Exports} | [wrapper(Module, Export) || Export <- Exports]].

wrapper(Module, {Name, Arity}) ->
    Arguments = [{var, 1, list_to_atom("A" ++ integer_to_list(N))} || N <- lists:seq(1, Arity)],
    List = lists:foldr(fun(Argument, Rest) -> {cons, 1, Argument, Rest} end, {nil, 1}, Arguments),
    Original = {remote, 1, {atom, 1, foresee_code}, {atom, 1, original}},
    Call = {call, 1, Original, [{atom, 1, Module}, {atom, 1, Name}, List]},
    {function, 1, Name, Arity, [{clause, 1, Arguments, [], [Call]}]}.
