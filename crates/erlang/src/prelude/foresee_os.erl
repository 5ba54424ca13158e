%% What programs ask of the operating system: variables of the environment, which are kept among the persistent terms, and the few
%% commands that tests prepare folders with, done on the files in memory. Calls of `os` are compiled to these where a program
%% changes the environment or gives commands.
-module(foresee_os).
-export([getenv/0, getenv/1, getenv/2, putenv/2, unsetenv/1, cmd/1, cmd/2]).

getenv() -> [Name ++ "=" ++ Value || {{foresee_environment, Name}, Value} <- persistent_term:get()].
getenv(Name) -> getenv(Name, false).
getenv(Name, Default) -> persistent_term:get({foresee_environment, Name}, Default).
putenv(Name, Value) ->
    persistent_term:put({foresee_environment, Name}, Value),
    true.
unsetenv(Name) ->
    persistent_term:erase({foresee_environment, Name}),
    true.

cmd(Command) ->
    Words = string:lexemes(lists:flatten(io_lib:format("~ts", [Command])), " "),
    case not has_special(Words) andalso known(Words) of
        ok -> "";
        false -> os:cmd(Command)
    end.
cmd(Command, _) -> cmd(Command).

has_special(Words) -> lists:any(fun(C) -> lists:member(C, "|&;<>$`*?\"'()~{}[]\\\n") end, lists:append(Words)).

known(["rm", Options | Paths]) when Options =:= "-rf"; Options =:= "-fr"; Options =:= "-r" ->
    [file:del_dir_r(Path) || Path <- Paths],
    ok;
known(["rm" | Paths]) -> plain(Paths, fun(Path) -> file:delete(Path) end);
known(["mkdir", "-p" | Paths]) -> plain(Paths, fun(Path) -> filelib:ensure_dir(filename:join(Path, "x")) end);
known(["mkdir" | Paths]) -> plain(Paths, fun(Path) -> file:make_dir(Path) end);
known(["touch" | Paths]) -> plain(Paths, fun(Path) -> file:write_file(Path, "", [append]) end);
known(_) -> false.

plain(Paths, Do) ->
    case [Option || [$- | _] = Option <- Paths] of
        [] ->
            lists:foreach(Do, Paths),
            ok;
        _ -> false
    end.
