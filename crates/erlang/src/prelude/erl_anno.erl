%% Annotations of abstract code: a line, a line and a column, or a list of properties.
-module(erl_anno).
-export([new/1, is_anno/1, line/1, column/1, location/1, file/1, text/1, record/1, generated/1, end_location/1,
         set_line/2, set_location/2, set_file/2, set_generated/2, set_record/2, set_text/2, from_term/1, to_term/1]).

new(Line) when is_integer(Line), Line >= 0 -> Line;
new({Line, Column} = Location) when is_integer(Line), is_integer(Column) -> Location;
new(_) -> error(badarg).

is_anno(Line) when is_integer(Line) -> Line >= 0;
is_anno({Line, Column}) -> is_integer(Line) andalso is_integer(Column);
is_anno([_ | _] = Properties) -> lists:all(fun(P) -> is_tuple(P) andalso tuple_size(P) =:= 2 end, Properties);
is_anno(_) -> false.

property(Key, Anno) when is_list(Anno) ->
    case lists:keyfind(Key, 1, Anno) of
        {_, Value} -> Value;
        false -> undefined
    end;
property(location, Anno) -> Anno;
property(_, _) -> undefined.

location(Anno) -> property(location, Anno).
line(Anno) ->
    case location(Anno) of
        {Line, _} -> Line;
        Line -> Line
    end.
column(Anno) ->
    case location(Anno) of
        {_, Column} -> Column;
        _ -> undefined
    end.
file(Anno) -> property(file, Anno).
text(Anno) -> property(text, Anno).
generated(Anno) -> property(generated, Anno) =:= true.
record(Anno) -> property(record, Anno) =:= true.
end_location(Anno) ->
    case text(Anno) of
        undefined -> undefined;
        Text ->
            Lines = string:split(Text, "\n", all),
            case location(Anno) of
                {Line, Column} when length(Lines) =:= 1 -> {Line, Column + length(Text)};
                {Line, _} -> {Line + length(Lines) - 1, length(lists:last(Lines)) + 1};
                Line -> Line + length(Lines) - 1
            end
    end.

set(Key, Value, Anno) when is_list(Anno) ->
    case lists:keymember(Key, 1, Anno) of
        true -> lists:keyreplace(Key, 1, Anno, {Key, Value});
        false -> [{Key, Value} | Anno]
    end;
set(location, Value, _) -> Value;
set(Key, Value, Anno) -> [{Key, Value}, {location, Anno}].

simple([{location, Location}]) -> Location;
simple(Anno) -> Anno.

set_location(Location, Anno) -> set(location, Location, Anno).
set_line(Line, Anno) ->
    case location(Anno) of
        {_, Column} -> set_location({Line, Column}, Anno);
        _ -> set_location(Line, Anno)
    end.
set_file(File, Anno) -> set(file, File, Anno).
set_text(Text, Anno) -> set(text, Text, Anno).
set_generated(true, Anno) -> set(generated, true, Anno);
set_generated(false, Anno) -> without(generated, Anno).
set_record(true, Anno) -> set(record, true, Anno);
set_record(false, Anno) -> without(record, Anno).

without(Key, Anno) when is_list(Anno) -> simple(lists:keydelete(Key, 1, Anno));
without(_, Anno) -> Anno.

from_term(Term) when is_integer(Term), Term < 0 -> set_generated(true, new(-Term));
from_term(Term) -> Term.
to_term(Anno) -> Anno.
