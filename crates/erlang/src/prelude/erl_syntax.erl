%% Syntax trees, for parse transforms. A tree is the abstract form that the parser gives wherever there is one, so that
%% reverting a tree has nothing to do; what has no form of its own outside its parent (an operator, an arity
%% qualifier, a guard as a tree, a list of forms) is {tree, Type, Position, Data}.
%% Comments are kept by nobody; user annotations are kept on {tree, ...} nodes and in annotations that are lists.
-module(erl_syntax).
-compile({no_auto_import, [float/1, is_atom/2, tuple_size/1, is_integer/2]}).
-export([type/1, is_leaf/1, is_form/1, is_tree/1, is_literal/1, concrete/1, abstract/1, revert/1, revert_forms/1,
         subtrees/1, make_tree/2, update_tree/2, data/1, tree/1, tree/2,
         get_pos/1, set_pos/2, copy_pos/2, get_ann/1, set_ann/2, add_ann/2, copy_ann/2, get_attrs/1, set_attrs/2,
         copy_attrs/2, get_precomments/1, get_postcomments/1, set_precomments/2, set_postcomments/2, add_precomments/2,
         add_postcomments/2, has_comments/1, remove_comments/1, copy_comments/2, join_comments/2,
         variable/1, variable_name/1, variable_literal/1, underscore/0, atom/1, atom_value/1, atom_name/1, atom_literal/1, is_atom/2,
         integer/1, integer_value/1, integer_literal/1, is_integer/2, float/1, float_value/1, float_literal/1, char/1,
         char_value/1, char_literal/1, is_char/2, string/1, string_value/1, string_literal/1, is_string/2, nil/0,
         list/1, list/2, list_prefix/1, list_suffix/1, list_elements/1, list_length/1, list_head/1, list_tail/1,
         cons/2, is_list_skeleton/1, is_proper_list/1, normalize_list/1, compact_list/1, tuple/1, tuple_elements/1,
         tuple_size/1, application/2, application/3, application_operator/1, application_arguments/1,
         module_qualifier/2, module_qualifier_argument/1, module_qualifier_body/1, arity_qualifier/2,
         arity_qualifier_body/1, arity_qualifier_argument/1, operator/1, operator_name/1, operator_literal/1,
         infix_expr/3, infix_expr_left/1, infix_expr_operator/1, infix_expr_right/1, prefix_expr/2,
         prefix_expr_operator/1, prefix_expr_argument/1, match_expr/2, match_expr_pattern/1, match_expr_body/1,
         clause/2, clause/3, clause_patterns/1, clause_guard/1, clause_body/1, conjunction/1, conjunction_body/1,
         disjunction/1, disjunction_body/1, class_qualifier/2, class_qualifier/3, class_qualifier_argument/1,
         class_qualifier_body/1, class_qualifier_stacktrace/1, case_expr/2, case_expr_argument/1, case_expr_clauses/1,
         if_expr/1, if_expr_clauses/1, receive_expr/1, receive_expr/3, receive_expr_clauses/1, receive_expr_timeout/1,
         receive_expr_action/1, try_expr/2, try_expr/3, try_expr/4, try_after_expr/2, try_expr_body/1,
         try_expr_clauses/1, try_expr_handlers/1, try_expr_after/1, catch_expr/1, catch_expr_body/1, block_expr/1,
         block_expr_body/1, fun_expr/1, fun_expr_clauses/1, fun_expr_arity/1, named_fun_expr/2, named_fun_expr_name/1,
         named_fun_expr_clauses/1, named_fun_expr_arity/1, implicit_fun/1, implicit_fun/2, implicit_fun/3,
         implicit_fun_name/1, list_comp/2, list_comp_template/1, list_comp_body/1, binary_comp/2,
         binary_comp_template/1, binary_comp_body/1, generator/2, generator_pattern/1, generator_body/1,
         binary_generator/2, binary_generator_pattern/1, binary_generator_body/1, record_expr/2, record_expr/3,
         record_expr_argument/1, record_expr_type/1, record_expr_fields/1, record_field/1, record_field/2,
         record_field_name/1, record_field_value/1, record_access/3, record_access_argument/1, record_access_type/1,
         record_access_field/1, record_index_expr/2, record_index_expr_type/1, record_index_expr_field/1, map_expr/1,
         map_expr/2, map_expr_argument/1, map_expr_fields/1, map_field_assoc/2, map_field_assoc_name/1,
         map_field_assoc_value/1, map_field_exact/2, map_field_exact_name/1, map_field_exact_value/1, binary/1,
         binary_fields/1, binary_field/1, binary_field/2, binary_field/3, binary_field_body/1, binary_field_types/1,
         binary_field_size/1, size_qualifier/2, size_qualifier_body/1, size_qualifier_argument/1, parentheses/1,
         parentheses_body/1, function/2, function_name/1, function_clauses/1, function_arity/1, attribute/1,
         attribute/2, attribute_name/1, attribute_arguments/1, form_list/1, form_list_elements/1,
         flatten_form_list/1, eof_marker/0, text/1, text_string/1, comment/1, comment/2, comment_text/1,
         comment_padding/1, error_marker/1, error_marker_info/1, warning_marker/1, warning_marker_info/1]).

type({tree, Type, _, _}) -> Type;
type({var, _, '_'}) -> underscore;
type({var, _, _}) -> variable;
type({cons, _, _, _}) -> list;
type({call, _, _, _}) -> application;
type({op, _, _, _, _}) -> infix_expr;
type({op, _, _, _}) -> prefix_expr;
type({match, _, _, _}) -> match_expr;
type({'case', _, _, _}) -> case_expr;
type({'if', _, _}) -> if_expr;
type({'receive', _, _}) -> receive_expr;
type({'receive', _, _, _, _}) -> receive_expr;
type({'try', _, _, _, _, _}) -> try_expr;
type({'catch', _, _}) -> catch_expr;
type({block, _, _}) -> block_expr;
type({'fun', _, {clauses, _}}) -> fun_expr;
type({'fun', _, _}) -> implicit_fun;
type({named_fun, _, _, _}) -> named_fun_expr;
type({lc, _, _, _}) -> list_comp;
type({bc, _, _, _}) -> binary_comp;
type({generate, _, _, _}) -> generator;
type({b_generate, _, _, _}) -> binary_generator;
type({record, _, _, _}) -> record_expr;
type({record, _, _, _, _}) -> record_expr;
type({record_field, _, _, _, _}) -> record_access;
type({record_field, _, _, _}) -> record_field;
type({record_field, _, _}) -> record_field;
type({record_index, _, _, _}) -> record_index_expr;
type({map, _, _}) -> map_expr;
type({map, _, _, _}) -> map_expr;
type({bin, _, _}) -> binary;
type({bin_element, _, _, _, _}) -> binary_field;
type({remote, _, _, _}) -> module_qualifier;
type({function, _, _, _, _}) -> function;
type({eof, _}) -> eof_marker;
type({error, _}) -> error_marker;
type({warning, _}) -> warning_marker;
type(Node) when element(1, Node) =:= atom; element(1, Node) =:= integer; element(1, Node) =:= float;
                element(1, Node) =:= char; element(1, Node) =:= string; element(1, Node) =:= nil;
                element(1, Node) =:= tuple; element(1, Node) =:= clause; element(1, Node) =:= attribute;
                element(1, Node) =:= map_field_assoc; element(1, Node) =:= map_field_exact ->
    element(1, Node);
type(Node) -> error({badarg, Node}).

is_leaf(Node) ->
    lists:member(type(Node), [atom, char, comment, eof_marker, error_marker, float, integer, nil, operator, string, text,
                              underscore, variable, warning_marker])
        orelse Node =:= {tuple, element(2, Node), []}.

is_form(Node) ->
    lists:member(type(Node), [attribute, comment, function, eof_marker, error_marker, form_list, warning_marker, text]).

is_tree({tree, _, _, _}) -> true;
is_tree(_) -> false.
tree(Type) -> tree(Type, []).
tree(Type, Data) -> {tree, Type, 0, Data}.
data({tree, _, _, Data}) -> Data.

%%% Positions and annotations.

get_pos({tree, _, {Pos, _}, _}) -> Pos;
get_pos({tree, _, Pos, _}) -> Pos;
get_pos({error, {Pos, _, _}}) -> Pos;
get_pos({warning, {Pos, _, _}}) -> Pos;
get_pos(Node) -> element(2, Node).

set_pos({tree, Type, {_, Ann}, Data}, Pos) -> {tree, Type, {Pos, Ann}, Data};
set_pos({error, _} = Node, _) -> Node;
set_pos({warning, _} = Node, _) -> Node;
set_pos(Node, Pos) when element(1, Node) =:= tree -> setelement(3, Node, Pos);
set_pos(Node, Pos) -> setelement(2, Node, Pos).

copy_pos(From, To) -> set_pos(To, get_pos(From)).

get_ann({tree, _, {_, Ann}, _}) -> Ann;
get_ann(_) -> [].
set_ann({tree, Type, {Pos, _}, Data}, Ann) -> {tree, Type, {Pos, Ann}, Data};
set_ann({tree, Type, Pos, Data}, Ann) -> {tree, Type, {Pos, Ann}, Data};
set_ann(Node, _) -> Node.
add_ann(Ann, Node) -> set_ann(Node, [Ann | get_ann(Node)]).
copy_ann(From, To) -> set_ann(To, get_ann(From)).
get_attrs(Node) -> {attr, get_pos(Node), get_ann(Node), none}.
set_attrs(Node, {attr, Pos, Ann, _}) -> set_ann(set_pos(Node, Pos), Ann).
copy_attrs(From, To) -> set_attrs(To, get_attrs(From)).
get_precomments(_) -> [].
get_postcomments(_) -> [].
set_precomments(Node, _) -> Node.
set_postcomments(Node, _) -> Node.
add_precomments(_, Node) -> Node.
add_postcomments(_, Node) -> Node.
has_comments(_) -> false.
remove_comments(Node) -> Node.
copy_comments(_, To) -> To.
join_comments(_, To) -> To.

%%% Back to forms.

revert({tree, operator, _, Name}) -> {atom, 0, Name};
revert({tree, parentheses, _, Body}) -> revert(Body);
revert({tree, class_qualifier, _, {Class, Body, Stack}}) -> {tuple, 0, [Class, Body, Stack]};
revert(Node) -> Node.

revert_forms({tree, form_list, _, Forms}) -> revert_forms(Forms);
revert_forms(Forms) -> lists:append([reverted(Form) || Form <- Forms]).

reverted({tree, form_list, _, Forms}) -> revert_forms(Forms);
reverted({tree, comment, _, _}) -> [];
reverted({tree, text, _, _} = Node) -> error({cannot_revert, Node});
reverted(Form) -> [revert(Form)].

%%% Values.

is_literal({tuple, _, Es}) -> lists:all(fun is_literal/1, Es);
is_literal({cons, _, H, T}) -> is_literal(H) andalso is_literal(T);
is_literal({map, _, Fields}) ->
    lists:all(fun({map_field_assoc, _, K, V}) -> is_literal(K) andalso is_literal(V); (_) -> false end, Fields);
is_literal(Node) -> lists:member(type(Node), [atom, integer, float, char, string, nil]).

concrete({nil, _}) -> [];
concrete({cons, _, H, T}) -> [concrete(H) | concrete(T)];
concrete({tuple, _, Es}) -> list_to_tuple([concrete(E) || E <- Es]);
concrete({map, _, Fields}) -> maps:from_list([{concrete(K), concrete(V)} || {map_field_assoc, _, K, V} <- Fields]);
concrete({bin, _, _} = Node) -> literal_bytes(Node);
concrete({op, _, '-', {integer, _, N}}) -> -N;
concrete({op, _, '-', {float, _, N}}) -> -N;
concrete(Node) ->
    case lists:member(type(Node), [atom, integer, float, char, string]) of
        true -> element(3, Node);
        false -> error({badarg, Node})
    end.

literal_bytes({bin, _, Elements}) ->
    iolist_to_binary([byte_of(Value) || {bin_element, _, Value, default, default} <- Elements]).
byte_of({integer, _, N}) -> N;
byte_of({char, _, N}) -> N;
byte_of({string, _, Text}) -> Text.

abstract(Term) when is_atom(Term) -> atom(Term);
abstract(Term) when is_integer(Term) -> integer(Term);
abstract(Term) when is_float(Term) -> float(Term);
abstract([]) -> nil();
abstract([H | T] = Term) ->
    case io_lib:latin1_char_list(Term) of
        true -> string(Term);
        false -> {cons, 0, abstract(H), abstract(T)}
    end;
abstract(Term) when is_tuple(Term) -> tuple([abstract(E) || E <- tuple_to_list(Term)]);
abstract(Term) when is_map(Term) ->
    map_expr([map_field_assoc(abstract(K), abstract(V)) || {K, V} <- maps:to_list(Term)]);
abstract(Term) when is_binary(Term) -> binary([binary_field(integer(B)) || B <- binary_to_list(Term)]);
abstract(Term) -> error({badarg, Term}).

%%% Leaves.

variable(Name) when is_atom(Name) -> {var, 0, Name};
variable(Name) -> {var, 0, list_to_atom(Name)}.
variable_name({var, _, Name}) -> Name.
variable_literal({var, _, Name}) -> atom_to_list(Name).
underscore() -> {var, 0, '_'}.
atom(Name) when is_atom(Name) -> {atom, 0, Name};
atom(Name) -> {atom, 0, list_to_atom(Name)}.
atom_value({atom, _, Name}) -> Name.
atom_name({atom, _, Name}) -> atom_to_list(Name).
atom_literal({atom, _, Name}) -> io_lib:write_atom(Name).
is_atom({atom, _, Name}, Value) -> Name =:= Value;
is_atom(_, _) -> false.
integer(N) -> {integer, 0, N}.
integer_value({integer, _, N}) -> N.
integer_literal({integer, _, N}) -> integer_to_list(N).
is_integer({integer, _, N}, Value) -> N =:= Value;
is_integer(_, _) -> false.
float(N) -> {float, 0, N}.
float_value({float, _, N}) -> N.
float_literal({float, _, N}) -> float_to_list(N).
char(C) -> {char, 0, C}.
char_value({char, _, C}) -> C.
char_literal({char, _, C}) -> io_lib:write_char(C).
is_char({char, _, C}, Value) -> C =:= Value;
is_char(_, _) -> false.
string(Text) -> {string, 0, Text}.
string_value({string, _, Text}) -> Text.
string_literal({string, _, Text}) -> io_lib:write_string(Text).
is_string({string, _, Text}, Value) -> Text =:= Value;
is_string(_, _) -> false.
nil() -> {nil, 0}.
text(Text) -> {tree, text, 0, Text}.
text_string({tree, text, _, Text}) -> Text.
comment(Text) -> comment(none, Text).
comment(Padding, Text) -> {tree, comment, 0, {Padding, Text}}.
comment_text({tree, comment, _, {_, Text}}) -> Text.
comment_padding({tree, comment, _, {Padding, _}}) -> Padding.
eof_marker() -> {eof, 0}.
error_marker(Info) -> {error, Info}.
error_marker_info({error, Info}) -> Info.
warning_marker(Info) -> {warning, Info}.
warning_marker_info({warning, Info}) -> Info.

%%% Lists and tuples.

list(Elements) -> list(Elements, none).
list([], none) -> nil();
list(Prefix, none) -> list(Prefix, nil());
list(Prefix, Suffix) ->
    lists:foldr(fun(Element, Rest) -> {cons, pos_of(Element), revert(Element), Rest} end, Suffix, Prefix).

pos_of(Node) -> get_pos(Node).

list_prefix({nil, _}) -> [];
list_prefix({cons, _, H, T}) -> [H | cons_prefix(T)].
cons_prefix({cons, _, H, T}) -> [H | cons_prefix(T)];
cons_prefix(_) -> [].
list_suffix({cons, _, _, {cons, _, _, _} = T}) -> list_suffix(T);
list_suffix({cons, _, _, {nil, _}}) -> none;
list_suffix({cons, _, _, T}) -> T.
list_elements({nil, _}) -> [];
list_elements({cons, _, H, T}) -> [H | list_elements(T)];
list_elements({string, _, Text}) -> [char(C) || C <- Text].
list_length(Node) -> length(list_elements(Node)).
list_head({cons, _, H, _}) -> H.
list_tail({cons, _, _, T}) -> T.
cons(H, T) -> {cons, 0, revert(H), revert(T)}.
is_list_skeleton(Node) -> lists:member(element(1, Node), [cons, nil]).
is_proper_list({nil, _}) -> true;
is_proper_list({cons, _, _, T}) -> is_proper_list(T);
is_proper_list(_) -> false.
normalize_list(Node) -> Node.
compact_list(Node) -> Node.
tuple(Elements) -> {tuple, 0, all(Elements)}.
tuple_elements({tuple, _, Elements}) -> Elements.
tuple_size({tuple, _, Elements}) -> length(Elements).

all(Nodes) -> [revert(Node) || Node <- Nodes].

%%% Calls and operators.

application(none, Name, Args) -> application(Name, Args);
application(Module, Name, Args) -> application(module_qualifier(Module, Name), Args).
application(Operator, Args) -> {call, 0, revert(Operator), all(Args)}.
application_operator({call, _, Operator, _}) -> Operator.
application_arguments({call, _, _, Args}) -> Args.
module_qualifier(Module, Body) -> {remote, 0, revert(Module), revert(Body)}.
module_qualifier_argument({remote, _, Module, _}) -> Module.
module_qualifier_body({remote, _, _, Body}) -> Body.
arity_qualifier(Body, Arity) -> {tree, arity_qualifier, 0, {Body, Arity}}.
arity_qualifier_body({tree, arity_qualifier, _, {Body, _}}) -> Body.
arity_qualifier_argument({tree, arity_qualifier, _, {_, Arity}}) -> Arity.
operator(Name) when is_atom(Name) -> {tree, operator, 0, Name};
operator(Name) -> {tree, operator, 0, list_to_atom(Name)}.
operator_name({tree, operator, _, Name}) -> Name;
operator_name({atom, _, Name}) -> Name.
operator_literal(Node) -> atom_to_list(operator_name(Node)).
infix_expr(Left, Operator, Right) ->
    case operator_name(Operator) of
        '=' -> match_expr(Left, Right);
        Name -> {op, 0, Name, revert(Left), revert(Right)}
    end.
infix_expr_left({op, _, _, Left, _}) -> Left.
infix_expr_operator({op, Pos, Name, _, _}) -> {tree, operator, Pos, Name}.
infix_expr_right({op, _, _, _, Right}) -> Right.
prefix_expr(Operator, Argument) -> {op, 0, operator_name(Operator), revert(Argument)}.
prefix_expr_operator({op, Pos, Name, _}) -> {tree, operator, Pos, Name}.
prefix_expr_argument({op, _, _, Argument}) -> Argument.
match_expr(Pattern, Body) -> {match, 0, revert(Pattern), revert(Body)}.
match_expr_pattern({match, _, Pattern, _}) -> Pattern.
match_expr_body({match, _, _, Body}) -> Body.
parentheses(Body) -> {tree, parentheses, 0, Body}.
parentheses_body({tree, parentheses, _, Body}) -> Body.

%%% Clauses.

clause(Guard, Body) -> clause([], Guard, Body).
clause(Patterns, Guard, Body) -> {clause, 0, [pattern(P) || P <- Patterns], guard(Guard), all(Body)}.

%% The clauses of a try's handlers have a class qualifier until they are put there.
pattern({tree, class_qualifier, _, _} = Node) -> Node;
pattern(Node) -> revert(Node).

guard(none) -> [];
guard({tree, disjunction, _, Parts}) -> [conjuncts(Part) || Part <- Parts];
guard({tree, conjunction, _, Parts}) -> [all(Parts)];
guard([]) -> [];
guard([First | _] = Alternatives) when is_list(First) -> [all(Alternative) || Alternative <- Alternatives];
guard(Tests) when is_list(Tests) -> [all(Tests)];
guard(Test) -> [[revert(Test)]].

conjuncts({tree, conjunction, _, Parts}) -> all(Parts);
conjuncts(Test) -> [revert(Test)].

clause_patterns({clause, _, Patterns, _, _}) -> Patterns.
clause_guard({clause, _, _, [], _}) -> none;
clause_guard({clause, _, _, Guard, _}) -> disjunction([conjunction(Tests) || Tests <- Guard]).
clause_body({clause, _, _, _, Body}) -> Body.
conjunction(Parts) -> {tree, conjunction, 0, Parts}.
conjunction_body({tree, conjunction, _, Parts}) -> Parts.
disjunction(Parts) -> {tree, disjunction, 0, Parts}.
disjunction_body({tree, disjunction, _, Parts}) -> Parts.
class_qualifier(Class, Body) -> class_qualifier(Class, Body, underscore()).
class_qualifier(Class, Body, Stack) -> {tree, class_qualifier, 0, {Class, Body, Stack}}.
class_qualifier_argument({tree, class_qualifier, _, {Class, _, _}}) -> Class.
class_qualifier_body({tree, class_qualifier, _, {_, Body, _}}) -> Body.
class_qualifier_stacktrace({tree, class_qualifier, _, {_, _, Stack}}) -> Stack.

%%% Control.

case_expr(Argument, Clauses) -> {'case', 0, revert(Argument), Clauses}.
case_expr_argument({'case', _, Argument, _}) -> Argument.
case_expr_clauses({'case', _, _, Clauses}) -> Clauses.
if_expr(Clauses) -> {'if', 0, Clauses}.
if_expr_clauses({'if', _, Clauses}) -> Clauses.
receive_expr(Clauses) -> {'receive', 0, Clauses}.
receive_expr(Clauses, none, _) -> receive_expr(Clauses);
receive_expr(Clauses, Timeout, Action) -> {'receive', 0, Clauses, revert(Timeout), all(Action)}.
receive_expr_clauses({'receive', _, Clauses}) -> Clauses;
receive_expr_clauses({'receive', _, Clauses, _, _}) -> Clauses.
receive_expr_timeout({'receive', _, _}) -> none;
receive_expr_timeout({'receive', _, _, Timeout, _}) -> Timeout.
receive_expr_action({'receive', _, _}) -> [];
receive_expr_action({'receive', _, _, _, Action}) -> Action.
try_expr(Body, Handlers) -> try_expr(Body, [], Handlers).
try_expr(Body, Clauses, Handlers) -> try_expr(Body, Clauses, Handlers, []).
try_expr(Body, Clauses, Handlers, After) ->
    {'try', 0, all(Body), Clauses, [handler(Handler) || Handler <- Handlers], all(After)}.
try_after_expr(Body, After) -> try_expr(Body, [], [], After).

handler({clause, _, [{tree, class_qualifier, _, _} = Pattern], _, _} = Handler) -> setelement(3, Handler, [revert(Pattern)]);
handler({clause, _, [{tuple, _, [_, _, _]}], _, _} = Handler) -> Handler;
handler({clause, Pos, [Pattern], Guard, Body}) ->
    {clause, Pos, [{tuple, Pos, [atom(throw), Pattern, underscore()]}], Guard, Body}.

qualified({clause, Pos, [{tuple, _, [Class, Body, Stack]}], Guard, Then}) ->
    {clause, Pos, [{tree, class_qualifier, Pos, {Class, Body, Stack}}], Guard, Then}.

try_expr_body({'try', _, Body, _, _, _}) -> Body.
try_expr_clauses({'try', _, _, Clauses, _, _}) -> Clauses.
try_expr_handlers({'try', _, _, _, Handlers, _}) -> [qualified(Handler) || Handler <- Handlers].
try_expr_after({'try', _, _, _, _, After}) -> After.
catch_expr(Body) -> {'catch', 0, revert(Body)}.
catch_expr_body({'catch', _, Body}) -> Body.
block_expr(Body) -> {block, 0, all(Body)}.
block_expr_body({block, _, Body}) -> Body.

%%% Funs.

fun_expr(Clauses) -> {'fun', 0, {clauses, Clauses}}.
fun_expr_clauses({'fun', _, {clauses, Clauses}}) -> Clauses.
fun_expr_arity({'fun', _, {clauses, Clauses}}) -> arity(Clauses).
arity([{clause, _, Patterns, _, _} | _]) -> length(Patterns).
named_fun_expr({var, _, Name}, Clauses) -> {named_fun, 0, Name, Clauses}.
named_fun_expr_name({named_fun, Pos, Name, _}) -> {var, Pos, Name}.
named_fun_expr_clauses({named_fun, _, _, Clauses}) -> Clauses.
named_fun_expr_arity({named_fun, _, _, Clauses}) -> arity(Clauses).
implicit_fun(Name, none) -> implicit_fun(Name);
implicit_fun(Name, Arity) -> implicit_fun(arity_qualifier(Name, Arity)).
implicit_fun(none, Name, Arity) -> implicit_fun(Name, Arity);
implicit_fun(Module, Name, Arity) -> implicit_fun(module_qualifier(Module, arity_qualifier(Name, Arity))).
implicit_fun({tree, arity_qualifier, _, {{atom, _, Name}, {integer, _, Arity}}}) -> {'fun', 0, {function, Name, Arity}};
implicit_fun({remote, _, Module, {tree, arity_qualifier, _, {Name, Arity}}}) -> {'fun', 0, {function, Module, Name, Arity}}.
implicit_fun_name({'fun', Pos, {function, Name, Arity}}) ->
    {tree, arity_qualifier, Pos, {{atom, Pos, Name}, {integer, Pos, Arity}}};
implicit_fun_name({'fun', Pos, {function, Module, Name, Arity}}) ->
    {remote, Pos, Module, {tree, arity_qualifier, Pos, {Name, Arity}}}.

%%% Comprehensions.

list_comp(Template, Body) -> {lc, 0, revert(Template), all(Body)}.
list_comp_template({lc, _, Template, _}) -> Template.
list_comp_body({lc, _, _, Body}) -> Body.
binary_comp(Template, Body) -> {bc, 0, revert(Template), all(Body)}.
binary_comp_template({bc, _, Template, _}) -> Template.
binary_comp_body({bc, _, _, Body}) -> Body.
generator(Pattern, Body) -> {generate, 0, revert(Pattern), revert(Body)}.
generator_pattern({generate, _, Pattern, _}) -> Pattern.
generator_body({generate, _, _, Body}) -> Body.
binary_generator(Pattern, Body) -> {b_generate, 0, revert(Pattern), revert(Body)}.
binary_generator_pattern({b_generate, _, Pattern, _}) -> Pattern.
binary_generator_body({b_generate, _, _, Body}) -> Body.

%%% Records, maps, binaries.

record_expr(Type, Fields) -> record_expr(none, Type, Fields).
record_expr(none, {atom, _, Type}, Fields) -> {record, 0, Type, Fields};
record_expr(Argument, {atom, _, Type}, Fields) -> {record, 0, revert(Argument), Type, Fields}.
record_expr_argument({record, _, _, _}) -> none;
record_expr_argument({record, _, Argument, _, _}) -> Argument.
record_expr_type({record, Pos, Type, _}) -> {atom, Pos, Type};
record_expr_type({record, Pos, _, Type, _}) -> {atom, Pos, Type}.
record_expr_fields({record, _, _, Fields}) -> Fields;
record_expr_fields({record, _, _, _, Fields}) -> Fields.
record_field(Name) -> record_field(Name, none).
record_field(Name, none) -> {record_field, 0, revert(Name)};
record_field(Name, Value) -> {record_field, 0, revert(Name), revert(Value)}.
record_field_name(Field) -> element(3, Field).
record_field_value({record_field, _, _}) -> none;
record_field_value({record_field, _, _, Value}) -> Value.
record_access(Argument, {atom, _, Type}, Field) -> {record_field, 0, revert(Argument), Type, revert(Field)}.
record_access_argument({record_field, _, Argument, _, _}) -> Argument.
record_access_type({record_field, Pos, _, Type, _}) -> {atom, Pos, Type}.
record_access_field({record_field, _, _, _, Field}) -> Field.
record_index_expr({atom, _, Type}, Field) -> {record_index, 0, Type, revert(Field)}.
record_index_expr_type({record_index, Pos, Type, _}) -> {atom, Pos, Type}.
record_index_expr_field({record_index, _, _, Field}) -> Field.
map_expr(Fields) -> {map, 0, Fields}.
map_expr(none, Fields) -> map_expr(Fields);
map_expr(Argument, Fields) -> {map, 0, revert(Argument), Fields}.
map_expr_argument({map, _, _}) -> none;
map_expr_argument({map, _, Argument, _}) -> Argument.
map_expr_fields({map, _, Fields}) -> Fields;
map_expr_fields({map, _, _, Fields}) -> Fields.
map_field_assoc(Name, Value) -> {map_field_assoc, 0, revert(Name), revert(Value)}.
map_field_assoc_name({map_field_assoc, _, Name, _}) -> Name.
map_field_assoc_value({map_field_assoc, _, _, Value}) -> Value.
map_field_exact(Name, Value) -> {map_field_exact, 0, revert(Name), revert(Value)}.
map_field_exact_name({map_field_exact, _, Name, _}) -> Name.
map_field_exact_value({map_field_exact, _, _, Value}) -> Value.
binary(Fields) -> {bin, 0, Fields}.
binary_fields({bin, _, Fields}) -> Fields.
binary_field(Body) -> binary_field(Body, []).
binary_field(Body, none, Types) -> binary_field(Body, Types);
binary_field(Body, Size, Types) -> binary_field(size_qualifier(Body, Size), Types).
binary_field({tree, size_qualifier, _, {Body, Size}}, Types) ->
    {bin_element, 0, revert(Body), revert(Size), segment_types(Types)};
binary_field(Body, Types) -> {bin_element, 0, revert(Body), default, segment_types(Types)}.
segment_types([]) -> default;
segment_types(Types) -> [segment_type(Type) || Type <- Types].
segment_type({atom, _, Type}) -> Type;
segment_type({tree, size_qualifier, _, {{atom, _, Type}, {integer, _, Unit}}}) -> {Type, Unit}.
binary_field_body({bin_element, _, Body, default, _}) -> Body;
binary_field_body({bin_element, _, Body, Size, _}) -> size_qualifier(Body, Size).
binary_field_types({bin_element, _, _, _, default}) -> [];
binary_field_types({bin_element, Pos, _, _, Types}) -> [segment_tree(Pos, Type) || Type <- Types].
segment_tree(Pos, {Type, Unit}) -> size_qualifier({atom, Pos, Type}, {integer, Pos, Unit});
segment_tree(Pos, Type) -> {atom, Pos, Type}.
binary_field_size({bin_element, _, _, default, _}) -> none;
binary_field_size({bin_element, _, _, Size, _}) -> Size.
size_qualifier(Body, Size) -> {tree, size_qualifier, 0, {Body, Size}}.
size_qualifier_body({tree, size_qualifier, _, {Body, _}}) -> Body.
size_qualifier_argument({tree, size_qualifier, _, {_, Size}}) -> Size.

%%% Forms.

function({atom, _, Name}, Clauses) -> {function, 0, Name, arity(Clauses), Clauses}.
function_name({function, Pos, Name, _, _}) -> {atom, Pos, Name}.
function_clauses({function, _, _, _, Clauses}) -> Clauses.
function_arity({function, _, _, Arity, _}) -> Arity.

attribute(Name) -> attribute(Name, none).
attribute(Name, none) -> {attribute, 0, atom_value(Name), []};
attribute({atom, _, Name}, Args) -> {attribute, 0, Name, attribute_value(Name, Args)}.

attribute_value(module, [{atom, _, Module}]) -> Module;
attribute_value(module, [{atom, _, Module}, Parameters]) ->
    {Module, [variable_name(Parameter) || Parameter <- list_elements(Parameters)]};
attribute_value(export, [Names]) -> [name_and_arity(Name) || Name <- list_elements(Names)];
attribute_value(import, [{atom, _, Module}]) -> Module;
attribute_value(import, [{atom, _, Module}, Names]) -> {Module, [name_and_arity(Name) || Name <- list_elements(Names)]};
attribute_value(file, [File, Line]) -> {concrete(File), concrete(Line)};
attribute_value(record, [{atom, _, Name}, Fields]) -> {Name, tuple_elements(Fields)};
attribute_value(_, [{tree, arity_qualifier, _, _} = Name]) -> name_and_arity(Name);
attribute_value(_, [Value]) -> concrete(Value).

name_and_arity({tree, arity_qualifier, _, {{atom, _, Name}, {integer, _, Arity}}}) -> {Name, Arity};
name_and_arity({tuple, _, [{atom, _, Name}, {integer, _, Arity}]}) -> {Name, Arity}.

attribute_name({attribute, Pos, Name, _}) -> {atom, Pos, Name}.
attribute_arguments({attribute, Pos, Name, Value}) -> [set_pos(Argument, Pos) || Argument <- arguments(Name, Value)].

arguments(module, {Module, Parameters}) -> [atom(Module), list([variable(P) || P <- Parameters])];
arguments(module, Module) -> [atom(Module)];
arguments(export, Names) -> [names(Names)];
arguments(import, {Module, Names}) -> [atom(Module), names(Names)];
arguments(import, Module) -> [atom(Module)];
arguments(file, {File, Line}) -> [string(File), integer(Line)];
arguments(record, {Name, Fields}) -> [atom(Name), {tuple, 0, [untyped(Field) || Field <- Fields]}];
arguments(_, Value) -> [abstract(Value)].

names(Names) ->
    Suffix = nil(),
    lists:foldr(fun({Name, Arity}, Rest) -> {cons, 0, arity_qualifier(atom(Name), integer(Arity)), Rest} end, Suffix, Names).

untyped({typed_record_field, Field, _}) -> Field;
untyped(Field) -> Field.

form_list(Forms) -> {tree, form_list, 0, Forms}.
form_list_elements({tree, form_list, _, Forms}) -> Forms.
flatten_form_list({tree, form_list, Pos, Forms}) -> {tree, form_list, Pos, flat(Forms)}.
flat(Forms) ->
    lists:append([case Form of {tree, form_list, _, Inner} -> flat(Inner); _ -> [Form] end || Form <- Forms]).

%%% Trees as groups of subtrees.

subtrees(Node) -> groups(type(Node), Node).

groups(application, {call, _, Operator, Args}) -> [[Operator], Args];
groups(arity_qualifier, {tree, _, _, {Body, Arity}}) -> [[Body], [Arity]];
groups(attribute, {attribute, _, Name, _} = Node) when Name =:= spec; Name =:= type; Name =:= opaque; Name =:= callback ->
    [[attribute_name(Node)]];
groups(attribute, Node) -> [[attribute_name(Node)], attribute_arguments(Node)];
groups(binary, {bin, _, Fields}) -> [Fields];
groups(binary_comp, {bc, _, Template, Body}) -> [[Template], Body];
groups(binary_field, Node) ->
    case binary_field_types(Node) of
        [] -> [[binary_field_body(Node)]];
        Types -> [[binary_field_body(Node)], Types]
    end;
groups(binary_generator, {b_generate, _, Pattern, Body}) -> [[Pattern], [Body]];
groups(block_expr, {block, _, Body}) -> [Body];
groups(case_expr, {'case', _, Argument, Clauses}) -> [[Argument], Clauses];
groups(catch_expr, {'catch', _, Body}) -> [[Body]];
groups(class_qualifier, {tree, _, _, {Class, Body, Stack}}) -> [[Class], [Body], [Stack]];
groups(clause, {clause, _, Patterns, [], Body}) -> [Patterns, Body];
groups(clause, {clause, _, Patterns, _, Body} = Node) -> [Patterns, [clause_guard(Node)], Body];
groups(conjunction, {tree, _, _, Parts}) -> [Parts];
groups(disjunction, {tree, _, _, Parts}) -> [Parts];
groups(form_list, {tree, _, _, Forms}) -> [Forms];
groups(fun_expr, {'fun', _, {clauses, Clauses}}) -> [Clauses];
groups(function, {function, _, _, _, Clauses} = Node) -> [[function_name(Node)], Clauses];
groups(generator, {generate, _, Pattern, Body}) -> [[Pattern], [Body]];
groups(if_expr, {'if', _, Clauses}) -> [Clauses];
groups(implicit_fun, Node) -> [[implicit_fun_name(Node)]];
groups(infix_expr, {op, _, _, Left, Right} = Node) -> [[Left], [infix_expr_operator(Node)], [Right]];
groups(list, Node) ->
    case list_suffix(Node) of
        none -> [list_prefix(Node)];
        Suffix -> [list_prefix(Node), [Suffix]]
    end;
groups(list_comp, {lc, _, Template, Body}) -> [[Template], Body];
groups(map_expr, {map, _, Fields}) -> [Fields];
groups(map_expr, {map, _, Argument, Fields}) -> [[Argument], Fields];
groups(map_field_assoc, {_, _, Name, Value}) -> [[Name], [Value]];
groups(map_field_exact, {_, _, Name, Value}) -> [[Name], [Value]];
groups(match_expr, {match, _, Pattern, Body}) -> [[Pattern], [Body]];
groups(module_qualifier, {remote, _, Module, Body}) -> [[Module], [Body]];
groups(named_fun_expr, {named_fun, _, _, Clauses} = Node) -> [[named_fun_expr_name(Node)], Clauses];
groups(parentheses, {tree, _, _, Body}) -> [[Body]];
groups(prefix_expr, {op, _, _, Argument} = Node) -> [[prefix_expr_operator(Node)], [Argument]];
groups(receive_expr, {'receive', _, Clauses}) -> [Clauses];
groups(receive_expr, {'receive', _, Clauses, Timeout, Action}) -> [Clauses, [Timeout], Action];
groups(record_access, {record_field, _, Argument, _, Field} = Node) -> [[Argument], [record_access_type(Node)], [Field]];
groups(record_expr, {record, _, _, Fields} = Node) -> [[record_expr_type(Node)], Fields];
groups(record_expr, {record, _, Argument, _, Fields} = Node) -> [[Argument], [record_expr_type(Node)], Fields];
groups(record_field, {record_field, _, Name}) -> [[Name]];
groups(record_field, {record_field, _, Name, Value}) -> [[Name], [Value]];
groups(record_index_expr, {record_index, _, _, Field} = Node) -> [[record_index_expr_type(Node)], [Field]];
groups(size_qualifier, {tree, _, _, {Body, Size}}) -> [[Body], [Size]];
groups(try_expr, {'try', _, Body, Clauses, _, After} = Node) -> [Body, Clauses, try_expr_handlers(Node), After];
groups(tuple, {tuple, _, Elements}) -> [Elements];
groups(_, _) -> [].

update_tree({attribute, _, Name, _} = Node, [_]) when Name =:= spec; Name =:= type; Name =:= opaque; Name =:= callback -> Node;
update_tree(Node, Groups) -> copy_attrs(Node, make_tree(type(Node), Groups)).

make_tree(application, [[Operator], Args]) -> application(Operator, Args);
make_tree(arity_qualifier, [[Body], [Arity]]) -> arity_qualifier(Body, Arity);
make_tree(attribute, [[Name]]) -> attribute(Name);
make_tree(attribute, [[Name], Args]) -> attribute(Name, Args);
make_tree(binary, [Fields]) -> binary(Fields);
make_tree(binary_comp, [[Template], Body]) -> binary_comp(Template, Body);
make_tree(binary_field, [[Body]]) -> binary_field(Body);
make_tree(binary_field, [[Body], Types]) -> binary_field(Body, Types);
make_tree(binary_generator, [[Pattern], [Body]]) -> binary_generator(Pattern, Body);
make_tree(block_expr, [Body]) -> block_expr(Body);
make_tree(case_expr, [[Argument], Clauses]) -> case_expr(Argument, Clauses);
make_tree(catch_expr, [[Body]]) -> catch_expr(Body);
make_tree(class_qualifier, [[Class], [Body]]) -> class_qualifier(Class, Body);
make_tree(class_qualifier, [[Class], [Body], [Stack]]) -> class_qualifier(Class, Body, Stack);
make_tree(clause, [Patterns, Body]) -> clause(Patterns, none, Body);
make_tree(clause, [Patterns, [Guard], Body]) -> clause(Patterns, Guard, Body);
make_tree(conjunction, [Parts]) -> conjunction(Parts);
make_tree(disjunction, [Parts]) -> disjunction(Parts);
make_tree(form_list, [Forms]) -> form_list(Forms);
make_tree(fun_expr, [Clauses]) -> fun_expr(Clauses);
make_tree(function, [[Name], Clauses]) -> function(Name, Clauses);
make_tree(generator, [[Pattern], [Body]]) -> generator(Pattern, Body);
make_tree(if_expr, [Clauses]) -> if_expr(Clauses);
make_tree(implicit_fun, [[Name]]) -> implicit_fun(Name);
make_tree(infix_expr, [[Left], [Operator], [Right]]) -> infix_expr(Left, Operator, Right);
make_tree(list, [Prefix]) -> list(Prefix);
make_tree(list, [Prefix, [Suffix]]) -> list(Prefix, Suffix);
make_tree(list_comp, [[Template], Body]) -> list_comp(Template, Body);
make_tree(map_expr, [Fields]) -> map_expr(Fields);
make_tree(map_expr, [[Argument], Fields]) -> map_expr(Argument, Fields);
make_tree(map_field_assoc, [[Name], [Value]]) -> map_field_assoc(Name, Value);
make_tree(map_field_exact, [[Name], [Value]]) -> map_field_exact(Name, Value);
make_tree(match_expr, [[Pattern], [Body]]) -> match_expr(Pattern, Body);
make_tree(module_qualifier, [[Module], [Body]]) -> module_qualifier(Module, Body);
make_tree(named_fun_expr, [[Name], Clauses]) -> named_fun_expr(Name, Clauses);
make_tree(parentheses, [[Body]]) -> parentheses(Body);
make_tree(prefix_expr, [[Operator], [Argument]]) -> prefix_expr(Operator, Argument);
make_tree(receive_expr, [Clauses]) -> receive_expr(Clauses);
make_tree(receive_expr, [Clauses, [Timeout], Action]) -> receive_expr(Clauses, Timeout, Action);
make_tree(record_access, [[Argument], [Type], [Field]]) -> record_access(Argument, Type, Field);
make_tree(record_expr, [[Type], Fields]) -> record_expr(Type, Fields);
make_tree(record_expr, [[Argument], [Type], Fields]) -> record_expr(Argument, Type, Fields);
make_tree(record_field, [[Name]]) -> record_field(Name);
make_tree(record_field, [[Name], [Value]]) -> record_field(Name, Value);
make_tree(record_index_expr, [[Type], [Field]]) -> record_index_expr(Type, Field);
make_tree(size_qualifier, [[Body], [Size]]) -> size_qualifier(Body, Size);
make_tree(try_expr, [Body, Clauses, Handlers, After]) -> try_expr(Body, Clauses, Handlers, After);
make_tree(tuple, [Elements]) -> tuple(Elements).
