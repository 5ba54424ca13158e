%% Input and output through a process that is not the system's own: by messages, as in Erlang. Calls come here only
%% when the device or group leader is such a process; otherwise output is a native event.
-module(io).
-export([foresee_format/1, foresee_format/2, foresee_format/3, foresee_fwrite/1, foresee_fwrite/2,
         foresee_fwrite/3, foresee_put_chars/1, foresee_put_chars/2, foresee_write/1, foresee_write/2,
         foresee_nl/0, foresee_nl/1, get_line/1, get_line/2, get_chars/2, get_chars/3, read/1, read/2, fread/2,
         fread/3, getopts/0, getopts/1, setopts/1, setopts/2, columns/0, columns/1, rows/0, rows/1,
         printable_range/0, request/2, requests/2]).

foresee_format(Format) -> foresee_format(group_leader(), Format, []).
foresee_format(Format, Args) -> foresee_format(group_leader(), Format, Args).
foresee_format(Device, Format, Args) -> put(Device, {put_chars, unicode, io_lib, format, [Format, Args]}).
foresee_fwrite(Format) -> foresee_format(Format).
foresee_fwrite(Format, Args) -> foresee_format(Format, Args).
foresee_fwrite(Device, Format, Args) -> foresee_format(Device, Format, Args).
foresee_put_chars(Chars) -> foresee_put_chars(group_leader(), Chars).
foresee_put_chars(Device, Chars) ->
    case unicode:characters_to_binary(Chars) of
        Text when is_binary(Text) -> put(Device, {put_chars, unicode, Text});
        _ -> error(badarg)
    end.
foresee_write(Term) -> foresee_write(group_leader(), Term).
foresee_write(Device, Term) -> put(Device, {put_chars, unicode, io_lib, write, [Term]}).
foresee_nl() -> foresee_nl(group_leader()).
foresee_nl(Device) -> put(Device, {put_chars, unicode, "\n"}).

put(Device, Request) ->
    case request(Device, Request) of
        ok -> ok;
        {error, terminated} -> error(terminated);
        {error, _} -> error(badarg)
    end.

get_line(Prompt) -> get_line(group_leader(), Prompt).
get_line(Device, Prompt) -> request(Device, {get_line, unicode, Prompt}).
get_chars(Prompt, Count) -> get_chars(group_leader(), Prompt, Count).
get_chars(Device, Prompt, Count) -> request(Device, {get_chars, unicode, Prompt, Count}).
read(Prompt) -> read(group_leader(), Prompt).
read(Device, Prompt) ->
    case request(Device, {get_until, unicode, Prompt, erl_scan, tokens, [1]}) of
        {ok, Tokens, _} -> erl_parse:parse_term(Tokens);
        {error, Error, _} -> {error, Error};
        {eof, _} -> eof;
        Other -> Other
    end.
fread(Prompt, Format) -> fread(group_leader(), Prompt, Format).
fread(Device, Prompt, Format) -> request(Device, {get_until, unicode, Prompt, io_lib, fread, [Format]}).
getopts() -> getopts(group_leader()).
getopts(Device) -> request(Device, getopts).
setopts(Options) -> setopts(group_leader(), Options).
setopts(Device, Options) -> request(Device, {setopts, Options}).
columns() -> columns(group_leader()).
columns(Device) -> number(request(Device, {get_geometry, columns})).
rows() -> rows(group_leader()).
rows(Device) -> number(request(Device, {get_geometry, rows})).
number(N) when is_integer(N), N > 0 -> {ok, N};
number(_) -> {error, enotsup}.
printable_range() -> latin1.

requests(Device, Requests) -> request(Device, {requests, Requests}).

request(standard_io, Request) -> request(group_leader(), Request);
request(Name, Request) when is_atom(Name) ->
    case whereis(Name) of
        undefined -> {error, arguments};
        Pid -> request(Pid, Request)
    end;
request(Pid, Request) ->
    case io:foresee_is_system(Pid) of
        true -> system(Request);
        false ->
            Ref = monitor(process, Pid),
            Pid ! {io_request, self(), Ref, Request},
            receive
                {io_reply, Ref, Reply} ->
                    demonitor(Ref, [flush]),
                    Reply;
                {'DOWN', Ref, process, Pid, _} -> {error, terminated}
            end
    end.

system({put_chars, _, Chars}) -> io:put_chars(user, Chars);
system({put_chars, _, Module, Function, Args}) -> io:put_chars(user, apply(Module, Function, Args));
system({requests, [Request]}) -> system(Request);
system({requests, [Request | Requests]}) ->
    system(Request),
    system({requests, Requests});
system(getopts) -> [{expand_fun, false}, {echo, false}, {binary, false}, {encoding, unicode}];
system({setopts, _}) -> ok;
system({get_geometry, _}) -> {error, enotsup};
system(_) -> io:foresee_input().
