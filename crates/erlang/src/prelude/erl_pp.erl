% Expressions as text, where they fit into one line: which lines longer ones are broken into is not modelled.
-module(erl_pp).
-export([expr/1, exprs/1]).

-define(CHARACTERS_MAX, 72).

expr(Expr) -> in_a_line(text(Expr), expr).

exprs(Exprs) -> in_a_line(listed(Exprs), exprs).

in_a_line(Text, Name) ->
    Line = lists:flatten(Text),
    case length(Line) =< ?CHARACTERS_MAX of
        true -> Line;
        false -> erlang:'$not_modelled'(erl_pp, Name, 1)
    end.

listed(Exprs) -> lists:join(", ", [text(Expr) || Expr <- Exprs]).

text({atom, _, Name}) -> io_lib:write_atom(Name);
text({integer, _, N}) -> integer_to_list(N);
text({float, _, F}) -> io_lib:write(F);
text({char, _, C}) -> io_lib:write_char(C);
text({string, _, Text}) -> io_lib:write_string(Text);
text({var, _, Name}) -> atom_to_list(Name);
text({nil, _}) -> "[]";
text({cons, _, _, _} = List) -> ["[", elements(List), "]"];
text({tuple, _, Parts}) -> ["{", listed(Parts), "}"];
text({call, _, {remote, _, Module, Name}, Arguments}) ->
    [plain(Module), ":", plain(Name), "(", listed(Arguments), ")"];
text({call, _, Name, Arguments}) -> [plain(Name), "(", listed(Arguments), ")"];
text({op, _, '-', {Number, _, _} = Of}) when Number =:= integer; Number =:= float -> ["-", text(Of)];
text({map, _, Fields}) -> ["#{", lists:join(", ", [field(Field) || Field <- Fields]), "}"];
text({'fun', _, {function, Name, Arity}}) -> ["fun ", io_lib:write_atom(Name), "/", integer_to_list(Arity)];
text(_) -> erlang:'$not_modelled'(erl_pp, expr, 1).

%% What is called by a name.
plain({Kind, _, _} = Of) when Kind =:= atom; Kind =:= var -> text(Of);
plain(_) -> erlang:'$not_modelled'(erl_pp, expr, 1).

elements({cons, _, Head, {nil, _}}) -> text(Head);
elements({cons, _, Head, {cons, _, _, _} = Tail}) -> [text(Head), ", ", elements(Tail)];
elements({cons, _, Head, Tail}) -> [text(Head), " | ", text(Tail)].

field({map_field_assoc, _, Key, Value}) -> [text(Key), " => ", text(Value)];
field({map_field_exact, _, Key, Value}) -> [text(Key), " := ", text(Value)].
