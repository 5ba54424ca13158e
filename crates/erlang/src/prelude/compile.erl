%% Forms to an object that `code:load_binary` takes; a form that is not understood is told of when it is loaded and called.
-module(compile).
-export([forms/1, forms/2, noenv_forms/2]).

forms(Forms) -> forms(Forms, []).
noenv_forms(Forms, Options) -> forms(Forms, Options).
forms(Forms, Options) ->
    All = lists:flatten(Forms),
    Given = case is_list(Options) of true -> Options; false -> [Options] end,
    case [Name || {attribute, _, module, Name} <- All] of
        [Name | _] ->
            Object = term_to_binary({foresee_code, Name, All}),
            case lists:member(return, Given) orelse lists:member(return_warnings, Given) of
                true -> {ok, Name, Object, []};
                false -> {ok, Name, Object}
            end;
        [] ->
            case lists:member(return, Given) orelse lists:member(return_errors, Given) of
                true -> {error, [{"nofile", [{none, erl_lint, undefined_module}]}], []};
                false -> error
            end
    end.
