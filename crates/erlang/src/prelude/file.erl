%% Files in memory. A program begins with the files of its project, which it may read, and an empty
%% folder to write in; nothing of it reaches the disk. A path leads to a folder, or to a reference,
%% beneath which the content is: so a file that is open stays what it is when it is renamed or deleted.
%% The functions named foresee_ that are not here are built in (builtins/files.rs).
-module(file).
-export([open/2, close/1, read/2, read_line/1, write/2, position/2, pread/2, pread/3, pwrite/2, pwrite/3,
         truncate/1, sync/1, datasync/1, advise/4, allocate/3, copy/2, copy/3, read_file/1, read_file/2,
         write_file/2, write_file/3, delete/1, delete/2, rename/2, make_dir/1, del_dir/1, del_dir_r/1,
         list_dir/1, list_dir_all/1, read_file_info/1, read_file_info/2, read_link_info/1,
         read_link_info/2, write_file_info/2, write_file_info/3, change_mode/2, change_owner/2,
         change_time/2, change_time/3, get_cwd/0, set_cwd/1, consult/1, path_consult/2, script/1, eval/1,
         format_error/1, native_name_encoding/0, make_link/2, make_symlink/2, read_link/1, sendfile/2,
         sendfile/5, foresee_path/1, foresee_find/1, foresee_names/1, foresee_server/4]).

%% Where relative paths begin.
-define(CWD, <<"/project">>).

%% A path as it is kept: absolute, without "." and "..".
foresee_path(Name) ->
    case path_text(Name) of
        error -> error;
        <<"/", _/binary>> = Text -> normal(Text);
        Text -> normal(<<(cwd())/binary, "/", Text/binary>>)
    end.

path_text(Name) when is_binary(Name) -> Name;
path_text(Name) when is_atom(Name) -> atom_to_binary(Name);
path_text(Name) when is_list(Name) ->
    try unicode:characters_to_binary(flat(Name)) of
        Text when is_binary(Text) -> Text;
        _ -> error
    catch
        error:_ -> error
    end;
path_text(_) -> error.

flat([Part | Rest]) when is_atom(Part) -> [atom_to_list(Part) | flat(Rest)];
flat([Part | Rest]) when is_list(Part) -> [flat(Part) | flat(Rest)];
flat([Part | Rest]) -> [Part | flat(Rest)];
flat([]) -> [].

normal(Text) ->
    Parts = normal(binary:split(Text, <<"/">>, [global]), []),
    iolist_to_binary([[$/, Part] || Part <- Parts]).

normal([<<>> | Rest], Done) -> normal(Rest, Done);
normal([<<".">> | Rest], Done) -> normal(Rest, Done);
normal([<<"..">> | Rest], [_ | Done]) -> normal(Rest, Done);
normal([<<"..">> | Rest], []) -> normal(Rest, []);
normal([Part | Rest], Done) -> normal(Rest, [Part | Done]);
normal([], Done) -> lists:reverse(Done).

cwd() ->
    case file:foresee_get(<<"cwd">>) of
        none -> ?CWD;
        Path -> Path
    end.

get_cwd() -> {ok, unicode:characters_to_list(cwd())}.

set_cwd(Name) ->
    with_path(Name, fun(Path) ->
        case foresee_find(Path) of
            directory -> file:foresee_put(<<"cwd">>, Path);
            {regular, _} -> {error, enotdir};
            none -> {error, enoent}
        end
    end).

%% What is at a path: none, directory or {regular, Reference}. A file of the project is taken in when
%% it is first looked at.
foresee_find(<<>>) -> directory;
foresee_find(Path) ->
    case file:foresee_get(Path) of
        none -> of_project(Path);
        gone -> none;
        Found -> Found
    end.

of_project(Path) ->
    case project(Path) of
        none ->
            %% The last is the private folder of Common Test.
            case lists:member(Path, [?CWD, <<"/tmp">>, <<"/tmp/ct">>]) of
                true -> directory;
                false -> none
            end;
        directory -> directory;
        Content ->
            Node = make_ref(),
            file:foresee_put(Node, Content),
            file:foresee_put_new(Path, {regular, Node})
    end.

project(<<"/project/", Rest/binary>>) ->
    try foresee_files:find(Rest)
    catch error:undef -> none
    end;
project(_) -> none.

%% The names in a folder, in order.
foresee_names(Path) ->
    Stored = file:foresee_below(<<Path/binary, "/">>),
    Start = byte_size(Path) + 1,
    Here = [{Name, Value} || {Full, Value} <- Stored, Name <- [part(Full, Start)], is_one(Name)],
    Gone = [Name || {Name, gone} <- Here],
    Own = [Name || Name <- project_names(Path), not lists:member(Name, Gone)],
    lists:usort([Name || {Name, Value} <- Here, Value =/= gone] ++ Own).

part(Full, Start) -> binary:part(Full, Start, byte_size(Full) - Start).

is_one(Name) -> binary:match(Name, <<"/">>) =:= nomatch.

project_names(?CWD) -> project_names_in(<<>>);
project_names(<<"/project/", Rest/binary>>) -> project_names_in(Rest);
project_names(_) -> [].

project_names_in(Folder) ->
    try foresee_files:names(Folder)
    catch error:undef -> []
    end.

with_path(Name, F) ->
    case foresee_path(Name) of
        error -> {error, badarg};
        Path -> F(Path)
    end.

parent(Path) ->
    case binary:matches(Path, <<"/">>) of
        [] -> <<>>;
        Found ->
            {At, _} = lists:last(Found),
            binary:part(Path, 0, At)
    end.

%% Whole files.
read_file(Name) ->
    with_path(Name, fun(Path) ->
        case foresee_find(Path) of
            {regular, Node} -> {ok, file:foresee_get(Node)};
            directory -> {error, eisdir};
            none -> {error, missing(Path)}
        end
    end).

read_file(Name, _) -> read_file(Name).

%% Of what is not there: a part of the path may be a file.
missing(Path) ->
    case parent(Path) of
        <<>> -> enoent;
        Parent ->
            case foresee_find(Parent) of
                {regular, _} -> enotdir;
                _ -> enoent
            end
    end.

write_file(Name, Data) -> write_file(Name, Data, []).

write_file(Name, Data, Modes) ->
    try iolist_to_binary(Data) of
        Bytes ->
            Mode =
                case lists:member(append, Modes) of
                    true -> [append];
                    false -> [write]
                end,
            with_path(Name, fun(Path) ->
                case node_at(Path, Mode) of
                    {ok, Node} ->
                        file:foresee_splice(Node, eof, Bytes),
                        ok;
                    Error -> Error
                end
            end)
    catch
        error:_ -> {error, badarg}
    end.

%% The content's place for a file that is opened.
node_at(Path, Modes) ->
    Writes = lists:any(fun(Mode) -> lists:member(Mode, Modes) end, [write, append, exclusive]),
    case foresee_find(Path) of
        directory -> {error, eisdir};
        {regular, _} = Found -> node_there(Found, Modes, Writes);
        none when not Writes -> {error, missing(Path)};
        none ->
            case foresee_find(parent(Path)) of
                directory ->
                    Node = make_ref(),
                    file:foresee_put(Node, <<>>),
                    case file:foresee_put_new(Path, {regular, Node}) of
                        {regular, Node} -> {ok, Node};
                        directory -> {error, eisdir};
                        Found -> node_there(Found, Modes, Writes)
                    end;
                {regular, _} -> {error, enotdir};
                none -> {error, enoent}
            end
    end.

node_there({regular, Node}, Modes, _) ->
    Keeps = lists:member(read, Modes) orelse lists:member(append, Modes),
    case {lists:member(exclusive, Modes), lists:member(write, Modes) andalso not Keeps} of
        {true, _} -> {error, eexist};
        {_, true} ->
            file:foresee_put(Node, <<>>),
            {ok, Node};
        _ -> {ok, Node}
    end.

%% Open files: a raw one is a descriptor; another is a process that keeps one.
open(Name, Modes) when is_list(Modes) ->
    case lists:member(ram, Modes) of
        true -> erlang:'$not_modelled'(file, open, 2);
        false -> with_path(Name, fun(Path) -> opened(Path, modes(Modes)) end)
    end;
open(Name, Mode) when is_atom(Mode) -> open(Name, [Mode]);
open(_, _) -> {error, badarg}.

modes(Modes) ->
    case lists:any(fun(Mode) -> lists:member(Mode, Modes) end, [read, write, append, exclusive, directory]) of
        true -> Modes;
        false -> [read | Modes]
    end.

opened(Path, Modes) ->
    case lists:member(directory, Modes) of
        true ->
            case foresee_find(Path) of
                directory -> handle(make_ref(), Modes);
                {regular, _} -> {error, enotdir};
                none -> {error, enoent}
            end;
        false ->
            case node_at(Path, Modes) of
                {ok, Node} -> handle(Node, Modes);
                Error -> Error
            end
    end.

handle(Node, Modes) ->
    case {delay(Modes), lists:member(raw, Modes)} of
        {none, true} -> {ok, raw(Node, Modes)};
        {none, false} -> {ok, served([Node, Modes])};
        {_, true} -> {ok, {file_descriptor, raw_file_io_delayed, #{pid => served([Node, Modes])}}};
        {_, false} -> {ok, served([Node, Modes])}
    end.

served(Args) ->
    Reference = make_ref(),
    Pid = spawn_link(file, foresee_server, [self(), Reference | Args]),
    receive {Reference, Pid} -> Pid end.

%% How much is kept back before it is written, and how long.
delay([delayed_write | _]) -> {65536, 2000};
delay([{delayed_write, Size, Time} | _]) -> {Size, Time};
delay([_ | Rest]) -> delay(Rest);
delay([]) -> none.

raw(Node, Modes) ->
    Reference = make_ref(),
    file:foresee_put(Reference, {open, Node, 0, Modes}),
    {file_descriptor, prim_file, #{handle => Reference}}.

%% The process of a file, which ends with its owner.
foresee_server(Owner, Reference, Node, Modes) ->
    process_flag(trap_exit, true),
    Monitor = monitor(process, Owner),
    File = raw(Node, [raw | Modes]),
    Owner ! {Reference, self()},
    case delay(Modes) of
        none -> serve(Owner, Monitor, File);
        Delay -> delay(Owner, Monitor, File, Delay, <<>>, none)
    end.

%% What is written is kept until there is enough of it, until its time has come, or until anything else is asked.
delay(Owner, Monitor, File, {Size, Time} = Delay, Kept, Timer) ->
    receive
        {file_request, From, ReplyAs, {write, [Bytes]}} ->
            All = <<Kept/binary, Bytes/binary>>,
            if
                byte_size(All) > Size ->
                    From ! {file_reply, ReplyAs, written(File, All, Timer)},
                    delay(Owner, Monitor, File, Delay, <<>>, none);
                true ->
                    From ! {file_reply, ReplyAs, ok},
                    Next = case Timer of none -> erlang:start_timer(Time, self(), write); _ -> Timer end,
                    delay(Owner, Monitor, File, Delay, All, Next)
            end;
        {timeout, Timer, write} ->
            write(File, Kept),
            delay(Owner, Monitor, File, Delay, <<>>, none);
        {file_request, From, ReplyAs, close} ->
            written(File, Kept, Timer),
            close(File),
            From ! {file_reply, ReplyAs, ok};
        {file_request, From, ReplyAs, {F, Args}} ->
            written(File, Kept, Timer),
            From ! {file_reply, ReplyAs, apply(file, F, [File | Args])},
            delay(Owner, Monitor, File, Delay, <<>>, none);
        {io_request, From, ReplyAs, Request} ->
            written(File, Kept, Timer),
            From ! {io_reply, ReplyAs, io_request(Request, File)},
            delay(Owner, Monitor, File, Delay, <<>>, none);
        {'DOWN', Monitor, process, Owner, _} ->
            written(File, Kept, Timer),
            close(File);
        _ -> delay(Owner, Monitor, File, Delay, Kept, Timer)
    end.

written(_, _, none) -> ok;
written(File, Kept, Timer) ->
    erlang:cancel_timer(Timer),
    write(File, Kept).

serve(Owner, Monitor, File) ->
    receive
        {file_request, From, ReplyAs, close} ->
            close(File),
            From ! {file_reply, ReplyAs, ok};
        {file_request, From, ReplyAs, {F, Args}} ->
            From ! {file_reply, ReplyAs, apply(file, F, [File | Args])},
            serve(Owner, Monitor, File);
        {io_request, From, ReplyAs, Request} ->
            From ! {io_reply, ReplyAs, io_request(Request, File)},
            serve(Owner, Monitor, File);
        {'DOWN', Monitor, process, Owner, _} -> close(File);
        _ -> serve(Owner, Monitor, File)
    end.

io_request({put_chars, _, Chars}, File) -> write(File, unicode:characters_to_binary(Chars));
io_request({put_chars, Encoding, M, F, A}, File) -> io_request({put_chars, Encoding, apply(M, F, A)}, File);
io_request({get_line, _, _}, File) ->
    case read_line(File) of
        {ok, Line} when is_binary(Line) -> unicode:characters_to_list(Line);
        {ok, Line} -> Line;
        Other -> Other
    end;
io_request({get_chars, _, _, N}, File) ->
    case read(File, N) of
        {ok, Chars} -> Chars;
        Other -> Other
    end;
io_request({requests, Requests}, File) ->
    lists:foldl(fun(Request, _) -> io_request(Request, File) end, ok, Requests);
io_request(getopts, _) -> [{binary, false}, {encoding, latin1}];
io_request({setopts, _}, _) -> ok;
io_request(_, _) -> {error, request}.

ask(Pid, Request) ->
    Monitor = monitor(process, Pid),
    Pid ! {file_request, self(), Monitor, Request},
    receive
        {file_reply, Monitor, Reply} ->
            demonitor(Monitor, [flush]),
            Reply;
        {'DOWN', Monitor, process, Pid, _} -> {error, terminated}
    end.

close({file_descriptor, prim_file, #{handle := Reference}}) ->
    case file:foresee_erase(Reference) of
        true -> ok;
        false -> {error, einval}
    end;
close({file_descriptor, raw_file_io_delayed, #{pid := Pid}}) -> close(Pid);
close(Pid) when is_pid(Pid) ->
    case ask(Pid, close) of
        {error, terminated} -> {error, terminated};
        Reply -> Reply
    end;
close(_) -> {error, badarg}.

%% Does something with an open file: with its content's place, its position and its modes.
with_open({file_descriptor, prim_file, #{handle := Reference}}, _, F) ->
    case file:foresee_get(Reference) of
        {open, Node, At, Modes} -> F(Reference, Node, At, Modes);
        none -> {error, einval}
    end;
with_open({file_descriptor, raw_file_io_delayed, #{pid := Pid}}, Request, _) -> ask(Pid, Request);
with_open(Pid, Request, _) when is_pid(Pid) -> ask(Pid, Request);
with_open(_, _, _) -> {error, badarg}.

move(Reference, Node, At, Modes) -> file:foresee_put(Reference, {open, Node, At, Modes}).

given(Bytes, Modes) ->
    case lists:member(binary, Modes) of
        true -> Bytes;
        false -> binary_to_list(Bytes)
    end.

may(Wanted, Modes) -> lists:any(fun(Mode) -> lists:member(Mode, Modes) end, Wanted).

read(File, N) when is_integer(N), N >= 0 ->
    with_open(File, {read, [N]}, fun(Reference, Node, At, Modes) ->
        case may([read], Modes) of
            false -> {error, ebadf};
            true ->
                case slice(file:foresee_get(Node), At, N) of
                    eof -> eof;
                    Bytes ->
                        move(Reference, Node, At + byte_size(Bytes), Modes),
                        {ok, given(Bytes, Modes)}
                end
        end
    end);
read(_, _) -> {error, badarg}.

slice(_, _, 0) -> <<>>;
slice(Content, At, N) ->
    case byte_size(Content) - At of
        Left when Left =< 0 -> eof;
        Left -> binary:part(Content, At, min(N, Left))
    end.

read_line(File) ->
    with_open(File, {read_line, []}, fun(Reference, Node, At, Modes) ->
        Content = file:foresee_get(Node),
        case slice(Content, At, byte_size(Content) + 1) of
            eof -> eof;
            Rest ->
                Line =
                    case binary:match(Rest, <<"\n">>) of
                        nomatch -> Rest;
                        {End, _} -> binary:part(Rest, 0, End + 1)
                    end,
                move(Reference, Node, At + byte_size(Line), Modes),
                {ok, given(Line, Modes)}
        end
    end).

write(File, Data) ->
    try iolist_to_binary(Data) of
        Bytes ->
            with_open(File, {write, [Bytes]}, fun(Reference, Node, At, Modes) ->
                case {may([write, append, exclusive], Modes), may([append], Modes)} of
                    {false, _} -> {error, ebadf};
                    {true, Appends} ->
                        Where = case Appends of true -> eof; false -> At end,
                        move(Reference, Node, file:foresee_splice(Node, Where, Bytes), Modes),
                        ok
                end
            end)
    catch
        error:badarg -> {error, badarg}
    end.

position(File, Where) ->
    with_open(File, {position, [Where]}, fun(Reference, Node, At, Modes) ->
        case place(Where, At, Node) of
            New when is_integer(New), New >= 0 ->
                move(Reference, Node, New, Modes),
                {ok, New};
            _ -> {error, einval}
        end
    end).

place(bof, _, _) -> 0;
place(cur, At, _) -> At;
place(eof, _, Node) -> byte_size(file:foresee_get(Node));
place({bof, Offset}, _, _) -> Offset;
place({cur, Offset}, At, _) -> At + Offset;
place({eof, Offset}, _, Node) -> byte_size(file:foresee_get(Node)) + Offset;
place(Offset, _, _) when is_integer(Offset) -> Offset;
place(_, _, _) -> error.

pread(File, At, N) when is_integer(At), At >= 0, is_integer(N), N >= 0 ->
    with_open(File, {pread, [At, N]}, fun(_, Node, _, Modes) ->
        case slice(file:foresee_get(Node), At, N) of
            eof -> eof;
            Bytes -> {ok, given(Bytes, Modes)}
        end
    end);
pread(_, _, _) -> {error, einval}.

pread(File, Places) when is_list(Places) -> pread_each(File, Places, []).

pread_each(_, [], Done) -> {ok, lists:reverse(Done)};
pread_each(File, [{At, N} | Rest], Done) ->
    case pread(File, At, N) of
        {ok, Bytes} -> pread_each(File, Rest, [Bytes | Done]);
        eof -> pread_each(File, Rest, [eof | Done]);
        Error -> Error
    end.

pwrite(File, At, Data) when is_integer(At), At >= 0 ->
    Bytes = iolist_to_binary(Data),
    with_open(File, {pwrite, [At, Bytes]}, fun(_, Node, _, Modes) ->
        case may([write, append, exclusive], Modes) of
            true ->
                file:foresee_splice(Node, At, Bytes),
                ok;
            false -> {error, ebadf}
        end
    end);
pwrite(_, _, _) -> {error, einval}.

pwrite(File, Places) -> pwrite_each(File, Places, 0).

pwrite_each(_, [], _) -> ok;
pwrite_each(File, [{At, Data} | Rest], N) ->
    case pwrite(File, At, Data) of
        ok -> pwrite_each(File, Rest, N + 1);
        {error, Reason} -> {error, {N, Reason}}
    end.

truncate(File) ->
    with_open(File, {truncate, []}, fun(_, Node, At, Modes) ->
        case may([write, append, exclusive], Modes) of
            true ->
                Content = file:foresee_get(Node),
                Kept = binary:part(Content, 0, min(At, byte_size(Content))),
                Zeros = At - byte_size(Kept),
                file:foresee_put(Node, <<Kept/binary, 0:(Zeros * 8)>>),
                ok;
            false -> {error, einval}
        end
    end).

sync(File) -> with_open(File, {sync, []}, fun(_, _, _, _) -> ok end).
datasync(File) -> with_open(File, {datasync, []}, fun(_, _, _, _) -> ok end).
advise(File, At, N, Advice) -> with_open(File, {advise, [At, N, Advice]}, fun(_, _, _, _) -> ok end).
allocate(File, At, N) -> with_open(File, {allocate, [At, N]}, fun(_, _, _, _) -> ok end).

copy(From, To) -> copy(From, To, infinity).

copy(From, To, Max) ->
    case read_whole(From) of
        {ok, Content} ->
            Bytes =
                case Max of
                    infinity -> Content;
                    _ -> binary:part(Content, 0, min(Max, byte_size(Content)))
                end,
            case write_whole(To, Bytes) of
                ok -> {ok, byte_size(Bytes)};
                Error -> Error
            end;
        Error -> Error
    end.

read_whole({file_descriptor, _, _} = File) -> read_rest(File);
read_whole(Pid) when is_pid(Pid) -> read_rest(Pid);
read_whole({Name, _}) -> read_file(Name);
read_whole(Name) -> read_file(Name).

read_rest(File) ->
    case read(File, 1 bsl 30) of
        {ok, Bytes} -> {ok, iolist_to_binary(Bytes)};
        eof -> {ok, <<>>};
        Error -> Error
    end.

write_whole({file_descriptor, _, _} = File, Bytes) -> write(File, Bytes);
write_whole(Pid, Bytes) when is_pid(Pid) -> write(Pid, Bytes);
write_whole({Name, Modes}, Bytes) -> write_file(Name, Bytes, Modes);
write_whole(Name, Bytes) -> write_file(Name, Bytes).

%% Names of files and folders.
delete(Name) ->
    with_path(Name, fun(Path) ->
        case foresee_find(Path) of
            {regular, _} -> forget(Path);
            directory -> {error, eperm};
            none -> {error, missing(Path)}
        end
    end).
delete(Name, _) -> delete(Name).

%% A file of the project would come back if nothing were kept in its place.
forget(Path) ->
    case project(Path) of
        none -> file:foresee_erase(Path);
        _ -> file:foresee_put(Path, gone)
    end,
    ok.

rename(From, To) ->
    with_path(From, fun(Source) ->
        with_path(To, fun(Target) ->
            case {foresee_find(Source), foresee_find(Target), foresee_find(parent(Target))} of
                {none, _, _} -> {error, missing(Source)};
                {_, _, none} -> {error, enoent};
                {_, _, {regular, _}} -> {error, enotdir};
                {{regular, _}, directory, _} -> {error, eisdir};
                {directory, {regular, _}, _} -> {error, enotdir};
                {{regular, _} = Found, _, _} ->
                    file:foresee_put(Target, Found),
                    case Source =:= Target of
                        true -> ok;
                        false -> forget(Source)
                    end;
                {directory, _, _} -> rename_folder(Source, Target)
            end
        end)
    end).

rename_folder(Source, Target) ->
    file:foresee_put(Target, directory),
    [begin
         From = <<Source/binary, "/", Name/binary>>,
         rename(From, <<Target/binary, "/", Name/binary>>)
     end || Name <- foresee_names(Source)],
    forget(Source).

make_dir(Name) ->
    with_path(Name, fun(Path) ->
        case {foresee_find(Path), foresee_find(parent(Path))} of
            {none, directory} ->
                case file:foresee_put_new(Path, directory) of
                    directory -> ok;
                    _ -> {error, eexist}
                end;
            {none, none} -> {error, enoent};
            {none, {regular, _}} -> {error, enotdir};
            _ -> {error, eexist}
        end
    end).

del_dir(Name) ->
    with_path(Name, fun(Path) ->
        case foresee_find(Path) of
            none -> {error, enoent};
            {regular, _} -> {error, enotdir};
            directory ->
                case foresee_names(Path) of
                    [] -> forget(Path);
                    _ -> {error, eexist}
                end
        end
    end).

del_dir_r(Name) ->
    with_path(Name, fun(Path) ->
        case foresee_find(Path) of
            none -> {error, enoent};
            {regular, _} -> forget(Path);
            directory ->
                [del_dir_r(<<Path/binary, "/", Inner/binary>>) || Inner <- foresee_names(Path)],
                forget(Path)
        end
    end).

list_dir(Name) ->
    with_path(Name, fun(Path) ->
        case foresee_find(Path) of
            directory -> {ok, [unicode:characters_to_list(Inner) || Inner <- foresee_names(Path)]};
            {regular, _} -> {error, enotdir};
            none -> {error, missing(Path)}
        end
    end).
list_dir_all(Name) -> list_dir(Name).

read_file_info(Name) -> read_file_info(Name, []).

read_file_info({file_descriptor, _, _} = File, Options) ->
    with_open(File, {read_file_info, [Options]},
              fun(_, Node, _, _) -> {ok, info(regular, byte_size(file:foresee_get(Node)), Node, Options)} end);
read_file_info(Name, Options) ->
    with_path(Name, fun(Path) ->
        case foresee_find(Path) of
            {regular, Node} -> {ok, info(regular, byte_size(file:foresee_get(Node)), Node, Options)};
            directory -> {ok, info(directory, 4096, Path, Options)};
            none -> {error, missing(Path)}
        end
    end).

read_link_info(Name) -> read_file_info(Name).
read_link_info(Name, Options) -> read_file_info(Name, Options).

%% Times of files are not kept.
info(Type, Size, Place, Options) ->
    Time =
        case [Kind || {time, Kind} <- Options] of
            [posix | _] -> 0;
            _ -> {{1970, 1, 1}, {0, 0, 0}}
        end,
    Mode = case Type of regular -> 8#100644; directory -> 8#40755 end,
    {file_info, Size, Type, read_write, Time, Time, Time, Mode, 1, 0, 0, inode(Place), 0, 0}.

%% A number for each place, so that a file that has taken the place of another can be told from it.
inode(Path) when is_binary(Path) -> erlang:crc32(Path) + 1;
inode(Node) -> erlang:crc32(ref_to_list(Node)) + 1.

write_file_info(Name, _) -> changed(Name).
write_file_info(Name, _, _) -> changed(Name).
change_mode(Name, _) -> changed(Name).
change_owner(Name, _) -> changed(Name).
change_time(Name, _) -> changed(Name).
change_time(Name, _, _) -> changed(Name).

%% Who may do what is not kept either.
changed(Name) ->
    case read_file_info(Name) of
        {ok, _} -> ok;
        Error -> Error
    end.

make_link(_, _) -> erlang:'$not_modelled'(file, make_link, 2).
make_symlink(_, _) -> erlang:'$not_modelled'(file, make_symlink, 2).
read_link(_) -> {error, einval}.
sendfile(_, _) -> erlang:'$not_modelled'(file, sendfile, 2).
sendfile(_, _, _, _, _) -> erlang:'$not_modelled'(file, sendfile, 5).
script(_) -> erlang:'$not_modelled'(file, script, 1).
eval(_) -> erlang:'$not_modelled'(file, eval, 1).

%% Files of terms.
consult(Name) ->
    case read_file(Name) of
        {ok, Bytes} -> terms(unicode:characters_to_list(Bytes));
        Error -> Error
    end.

terms(Text) ->
    case erl_scan:string(Text, 1) of
        {ok, Tokens, _} -> parsed(Tokens, [], []);
        {error, Error, _} -> {error, Error}
    end.

parsed([{dot, _} = Dot | Tokens], Before, Done) ->
    case erl_parse:parse_term(lists:reverse([Dot | Before])) of
        {ok, Term} -> parsed(Tokens, [], [Term | Done]);
        {error, Error} -> {error, Error}
    end;
parsed([Token | Tokens], Before, Done) -> parsed(Tokens, [Token | Before], Done);
parsed([], [], Done) -> {ok, lists:reverse(Done)};
parsed([], [Token | _], _) -> {error, {element(2, Token), erl_parse, ["syntax error before: ", []]}}.

path_consult([Folder | Folders], Name) ->
    Full = filename:join(Folder, Name),
    case consult(Full) of
        {ok, Terms} -> {ok, Terms, Full};
        {error, enoent} -> path_consult(Folders, Name);
        Error -> Error
    end;
path_consult([], _) -> {error, enoent}.

native_name_encoding() -> utf8.

format_error(badarg) -> "bad argument";
format_error(terminated) -> "the file server process is terminated";
format_error(system_limit) -> "a system limit was hit, probably not enough ports";
format_error({Line, Module, Term}) ->
    lists:flatten(io_lib:format("~w: ~ts", [Line, Module:format_error(Term)]));
format_error(enoent) -> "no such file or directory";
format_error(eexist) -> "file already exists";
format_error(eacces) -> "permission denied";
format_error(enotdir) -> "not a directory";
format_error(eisdir) -> "illegal operation on a directory";
format_error(eperm) -> "not owner";
format_error(einval) -> "invalid argument";
format_error(ebadf) -> "bad file number";
format_error(enospc) -> "no space left on device";
format_error(_) -> "unknown POSIX error".
