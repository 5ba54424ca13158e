%% Files and folders by their names, in memory as the module file has them.
-module(filelib).
-export([is_file/1, is_dir/1, is_regular/1, file_size/1, last_modified/1, ensure_dir/1, ensure_path/1,
         wildcard/1, wildcard/2, fold_files/5, find_file/2, find_file/3, find_source/1]).

is_file(Name) -> kind(Name) =/= none.
is_dir(Name) -> kind(Name) =:= directory.
is_regular(Name) -> kind(Name) =:= regular.

kind(Name) ->
    case file:read_file_info(Name) of
        {ok, Info} -> element(3, Info);
        {error, _} -> none
    end.

file_size(Name) ->
    case file:read_file_info(Name) of
        {ok, Info} -> element(2, Info);
        {error, _} -> 0
    end.

last_modified(Name) ->
    case file:read_file_info(Name) of
        {ok, Info} -> element(6, Info);
        {error, _} -> 0
    end.

ensure_dir(Name) -> ensure_path(filename:dirname(Name)).

ensure_path(Name) ->
    case kind(Name) of
        directory -> ok;
        regular -> {error, eexist};
        none ->
            case filename:dirname(Name) of
                Name -> {error, enoent};
                Parent ->
                    case ensure_path(Parent) of
                        ok ->
                            case file:make_dir(Name) of
                                {error, eexist} -> ok;
                                Result -> Result
                            end;
                        Error -> Error
                    end
            end
    end.

fold_files(Folder, Pattern, Recursive, F, Value) ->
    {ok, Regex} = re:compile(Pattern, [unicode]),
    fold(Folder, Regex, Recursive, F, Value).

fold(Folder, Regex, Recursive, F, Value) ->
    case file:list_dir(Folder) of
        {ok, Names} ->
            One = fun(Name, Sum) ->
                Full = filename:join(Folder, Name),
                case kind(Full) of
                    regular ->
                        case re:run(Name, Regex, [{capture, none}]) of
                            match -> F(Full, Sum);
                            nomatch -> Sum
                        end;
                    directory when Recursive -> fold(Full, Regex, true, F, Sum);
                    _ -> Sum
                end
            end,
            lists:foldl(One, Value, Names);
        {error, _} -> Value
    end.

wildcard(Pattern) -> found(Pattern, "").
wildcard(Pattern, Cwd) when is_list(Cwd) -> found(Pattern, Cwd);
wildcard(Pattern, _) -> found(Pattern, "").

found(Pattern, Cwd) ->
    {Start, Parts} =
        case filename:split(Pattern) of
            ["/" | Rest] -> {"/", Rest};
            All -> {"", All}
        end,
    lists:usort(walk(Parts, Start, Cwd)).

walk([], At, _) -> [At];
walk(["**" | Rest], At, Cwd) ->
    Below = [join(At, Name) || Name <- names(At, Cwd), is_dir(from(join(At, Name), Cwd))],
    Here = case Rest of [] -> [join(At, Name) || Name <- names(At, Cwd)]; _ -> walk(Rest, At, Cwd) end,
    Here ++ lists:append([walk(["**" | Rest], Folder, Cwd) || Folder <- Below]);
walk([Part | Rest], At, Cwd) ->
    case is_plain(Part) of
        true ->
            Next = join(At, Part),
            case is_file(from(Next, Cwd)) of
                true -> walk(Rest, Next, Cwd);
                false -> []
            end;
        false ->
            {ok, Regex} = re:compile(["^", regex(Part), "$"], [unicode]),
            Fits = fun(Name) ->
                (hd(Name) =/= $. orelse hd(Part) =:= $.) andalso
                    re:run(Name, Regex, [{capture, none}]) =:= match
            end,
            lists:append([walk(Rest, join(At, Name), Cwd) || Name <- names(At, Cwd), Fits(Name)])
    end.

join("", Name) -> Name;
join("/", Name) -> "/" ++ Name;
join(At, Name) -> At ++ "/" ++ Name.

from(At, "") -> case At of "" -> "."; _ -> At end;
from(At, Cwd) -> filename:join(Cwd, At).

names(At, Cwd) ->
    case file:list_dir(from(At, Cwd)) of
        {ok, Names} -> Names;
        {error, _} -> []
    end.

is_plain(Part) -> not lists:any(fun(C) -> lists:member(C, "*?[]{}") end, Part).

regex([$* | Rest]) -> [".*" | regex(Rest)];
regex([$? | Rest]) -> [$. | regex(Rest)];
regex([${ | Rest]) -> ["(?:" | regex(Rest)];
regex([$} | Rest]) -> [$) | regex(Rest)];
regex([$, | Rest]) -> [$| | regex(Rest)];
regex([C | Rest]) when C =:= $[; C =:= $]; C =:= $- -> [C | regex(Rest)];
regex([C | Rest]) ->
    case lists:member(C, "\\^$.|()+") of
        true -> [$\\, C | regex(Rest)];
        false -> [C | regex(Rest)]
    end;
regex([]) -> [].

find_file(Name, Folder) -> find_file(Name, Folder, []).
find_file(Name, Folder, _) ->
    Full = filename:join(Folder, Name),
    case is_regular(Full) of
        true -> {ok, Full};
        false -> {error, not_found}
    end.

find_source(_) -> {error, not_found}.
