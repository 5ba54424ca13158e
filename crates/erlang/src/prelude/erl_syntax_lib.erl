%% Going through syntax trees, and what the forms of a module say.
-module(erl_syntax_lib).
-export([map/2, map_subtrees/2, mapfold/3, mapfold_subtrees/3, fold/3, fold_subtrees/3, foldl_listlist/3,
         mapfoldl_listlist/3, variables/1, new_variable_name/1, new_variable_names/2,
         analyze_application/1, analyze_implicit_fun/1, analyze_function_name/1, analyze_function/1, analyze_attribute/1,
         analyze_form/1, analyze_forms/1, analyze_record_attribute/1, analyze_record_field/1]).

map(F, Tree) ->
    case erl_syntax:subtrees(Tree) of
        [] -> F(Tree);
        Groups -> F(erl_syntax:update_tree(Tree, [[map(F, Part) || Part <- Group] || Group <- Groups]))
    end.

map_subtrees(F, Tree) ->
    case erl_syntax:subtrees(Tree) of
        [] -> Tree;
        Groups -> erl_syntax:update_tree(Tree, [[F(Part) || Part <- Group] || Group <- Groups])
    end.

fold(F, Start, Tree) -> F(Tree, fold_subtrees(fun(Part, So) -> fold(F, So, Part) end, Start, Tree)).

fold_subtrees(F, Start, Tree) -> foldl_listlist(F, Start, erl_syntax:subtrees(Tree)).

foldl_listlist(F, Start, Groups) ->
    lists:foldl(fun(Group, So) -> lists:foldl(F, So, Group) end, Start, Groups).

mapfold(F, Start, Tree) ->
    case erl_syntax:subtrees(Tree) of
        [] -> F(Tree, Start);
        Groups ->
            {New, So} = mapfoldl_listlist(fun(Part, S) -> mapfold(F, S, Part) end, Start, Groups),
            F(erl_syntax:update_tree(Tree, New), So)
    end.

mapfold_subtrees(F, Start, Tree) ->
    case erl_syntax:subtrees(Tree) of
        [] -> {Tree, Start};
        Groups ->
            {New, So} = mapfoldl_listlist(F, Start, Groups),
            {erl_syntax:update_tree(Tree, New), So}
    end.

mapfoldl_listlist(F, Start, Groups) ->
    lists:mapfoldl(fun(Group, So) -> lists:mapfoldl(F, So, Group) end, Start, Groups).

variables(Tree) ->
    Add = fun(Node, So) ->
                  case erl_syntax:type(Node) of
                      variable -> sets:add_element(erl_syntax:variable_name(Node), So);
                      _ -> So
                  end
          end,
    fold(Add, sets:new(), Tree).

new_variable_name(Used) -> new_variable_name(Used, sets:size(Used)).
new_variable_name(Used, N) ->
    Name = list_to_atom("V" ++ integer_to_list(N)),
    case sets:is_element(Name, Used) of
        true -> new_variable_name(Used, N + 1);
        false -> Name
    end.

new_variable_names(N, Used) when N > 0 ->
    Name = new_variable_name(Used),
    [Name | new_variable_names(N - 1, sets:add_element(Name, Used))];
new_variable_names(0, _) -> [].

analyze_application(Node) ->
    Operator = erl_syntax:application_operator(Node),
    Arity = length(erl_syntax:application_arguments(Node)),
    case analyzed_name(Operator) of
        false -> Arity;
        {Module, {Name, Given}} when is_integer(Given) -> {Module, {Name, Given}};
        {Module, Name} when is_atom(Name) -> {Module, {Name, Arity}};
        Name -> {Name, Arity}
    end.

analyzed_name({atom, _, Name}) -> Name;
analyzed_name({remote, _, {atom, _, Module}, {atom, _, Name}}) -> {Module, Name};
analyzed_name(_) -> false.

analyze_implicit_fun(Node) -> analyze_function_name(erl_syntax:implicit_fun_name(Node)).

analyze_function_name({atom, _, Name}) -> Name;
analyze_function_name({tree, arity_qualifier, _, {Body, {integer, _, Arity}}}) -> {analyze_function_name(Body), Arity};
analyze_function_name({remote, _, {atom, _, Module}, Body}) -> {Module, analyze_function_name(Body)};
analyze_function_name(_) -> throw(syntax_error).

analyze_function({function, _, Name, Arity, _}) -> {Name, Arity};
analyze_function(_) -> throw(syntax_error).

analyze_attribute({attribute, _, record, {Name, _}} = Node) -> {record, {Name, element(2, analyze_record_attribute(Node))}};
analyze_attribute({attribute, _, Name, _}) when Name =:= ifdef; Name =:= ifndef; Name =:= else; Name =:= endif -> preprocessor;
analyze_attribute({attribute, _, Name, Value}) when Name =:= module; Name =:= export; Name =:= import; Name =:= file ->
    {Name, Value};
analyze_attribute({attribute, _, Name, Value}) -> {Name, {Name, Value}};
analyze_attribute(_) -> throw(syntax_error).

analyze_record_attribute({attribute, _, record, {Name, Fields}}) ->
    {Name, [analyze_record_field(Field) || Field <- Fields]};
analyze_record_attribute(_) -> throw(syntax_error).

analyze_record_field({typed_record_field, Field, Type}) ->
    {Name, {Default, _}} = analyze_record_field(Field),
    {Name, {Default, Type}};
analyze_record_field({record_field, _, {atom, _, Name}}) -> {Name, {none, none}};
analyze_record_field({record_field, _, {atom, _, Name}, Default}) -> {Name, {Default, none}}.

analyze_form(Node) ->
    case erl_syntax:type(Node) of
        attribute -> {attribute, analyze_attribute(Node)};
        function -> {function, analyze_function(Node)};
        error_marker -> {error_marker, erl_syntax:error_marker_info(Node)};
        warning_marker -> {warning_marker, erl_syntax:warning_marker_info(Node)};
        Type ->
            case erl_syntax:is_form(Node) of
                true -> Type;
                false -> throw(syntax_error)
            end
    end.

%% Properties that are empty are left out; what comes last in the module comes first.
analyze_forms({tree, form_list, _, Forms}) -> analyze_forms(Forms);
analyze_forms(Forms) ->
    All = lists:reverse([analyze_form(Form) || Form <- Forms]),
    Attributes = [Value || {attribute, {Name, Value}} <- All, not lists:member(Name, [module, export, import, file, record])],
    Module = [{module, plain_module(M)} || {attribute, {module, M}} <- All],
    Lists = [{exports, lists:append([Names || {attribute, {export, Names}} <- All])},
             {imports, imports([{M, Names} || {attribute, {import, {M, Names}}} <- All])},
             {attributes, Attributes},
             {records, [Record || {attribute, {record, Record}} <- All]},
             {errors, [Error || {error_marker, Error} <- All]},
             {warnings, [Warning || {warning_marker, Warning} <- All]},
             {functions, [Name || {function, Name} <- All]}],
    Module ++ [Property || {_, [_ | _]} = Property <- Lists].

plain_module({Module, _}) -> Module;
plain_module(Module) -> Module.

imports(Pairs) ->
    lists:foldl(fun({M, Names}, So) -> orddict:append_list(M, Names, So) end, orddict:new(), Pairs).
