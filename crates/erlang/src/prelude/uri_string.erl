%% URIs as RFC 3986 has them. Everything is done on lists of characters; what comes as a binary goes as one.
-module(uri_string).
-export([parse/1, recompose/1, normalize/1, normalize/2, resolve/2, resolve/3, dissect_query/1,
         compose_query/1, compose_query/2, quote/1, quote/2, unquote/1, percent_decode/1]).

parse(Uri) when is_binary(Uri) ->
    case parse(unicode:characters_to_list(Uri)) of
        Parts when is_map(Parts) -> maps:map(fun(_, Part) -> to_binary(Part) end, Parts);
        Error -> Error
    end;
parse(Uri) when is_list(Uri) ->
    Characters = lists:flatten(Uri),
    case scheme(Characters) of
        {Scheme, Rest} ->
            try (hierarchy(Rest))#{scheme => Scheme}
            catch throw:{wrong, _} -> {error, invalid_uri, ":"}
            end;
        none ->
            try
                Parts = #{path := Path} = hierarchy(Characters),
                case is_map_key(host, Parts) orelse not lists:member($:, lists:takewhile(fun(C) -> C =/= $/ end, Path)) of
                    true -> Parts;
                    false -> throw({wrong, ":"})
                end
            catch throw:{wrong, What} -> {error, invalid_uri, What}
            end
    end.

scheme([First | Rest]) when First >= $a, First =< $z; First >= $A, First =< $Z -> scheme(Rest, [First]);
scheme(_) -> none.
scheme([$: | Rest], Scheme) -> {lists:reverse(Scheme), Rest};
scheme([C | Rest], Scheme) when C >= $a, C =< $z; C >= $A, C =< $Z; C >= $0, C =< $9; C =:= $+; C =:= $-; C =:= $. ->
    scheme(Rest, [C | Scheme]);
scheme(_, _) -> none.

hierarchy(Text) ->
    {Before, Fragment} = cut($#, Text),
    {Path0, Query} = cut($?, Before),
    all_of("/?:@", Fragment),
    all_of("/?:@", Query),
    Parts = case Path0 of
                "//" ++ Rest ->
                    {Authority, Path} = lists:splitwith(fun(C) -> C =/= $/ end, Rest),
                    (authority(Authority))#{path => Path};
                _ -> #{path => Path0}
            end,
    all_of("/:@", maps:get(path, Parts)),
    put_part(fragment, Fragment, put_part(query, Query, Parts)).

cut(Mark, Text) ->
    case lists:splitwith(fun(C) -> C =/= Mark end, Text) of
        {Before, [_ | After]} -> {Before, After};
        {_, []} -> {Text, none}
    end.

put_part(_, none, Parts) -> Parts;
put_part(Key, Value, Parts) -> Parts#{Key => Value}.

authority(Text) ->
    {User, HostPort} = case cut($@, Text) of
                           {_, none} -> {none, Text};
                           Both -> Both
                       end,
    all_of(":", User),
    {Host, Port} = case HostPort of
                       [$[ | Bracketed] ->
                           case lists:splitwith(fun(C) -> C =/= $] end, Bracketed) of
                               {Inside, [_ | After]} ->
                                   case inet:parse_ipv6strict_address(Inside) of
                                       {ok, _} -> {Inside, After};
                                       _ -> throw({wrong, first(Inside)})
                                   end;
                               _ -> throw({wrong, ":"})
                           end;
                       _ -> lists:splitwith(fun(C) -> C =/= $: end, HostPort)
                   end,
    case HostPort of
        [$[ | _] -> ok;
        _ -> all_of("", Host)
    end,
    Parts = put_part(userinfo, User, #{host => Host}),
    case Port of
        "" -> Parts;
        ":" -> Parts#{port => undefined};
        [$: | Digits] ->
            case lists:dropwhile(fun is_digit/1, Digits) of
                "" -> Parts#{port => list_to_integer(Digits)};
                [Wrong | _] -> throw({wrong, [Wrong]})
            end;
        [Wrong | _] -> throw({wrong, [Wrong]})
    end.

first([C | _]) -> [C];
first([]) -> "".

%% Letters, digits, percent signs and what may stand anywhere, and these.
all_of(_, none) -> ok;
all_of(More, Text) ->
    case [C || C <- Text, not (is_unreserved(C) orelse lists:member(C, "!$&'()*+,;=%") orelse lists:member(C, More))] of
        [] -> ok;
        [Wrong | _] -> throw({wrong, [Wrong]})
    end.

is_digit(C) -> C >= $0 andalso C =< $9.
is_unreserved(C) ->
    C >= $a andalso C =< $z orelse C >= $A andalso C =< $Z orelse is_digit(C) orelse lists:member(C, "-._~").

recompose(#{path := Path} = Parts) ->
    Is = fun(Key) -> maps:get(Key, Parts, none) end,
    Scheme = case Is(scheme) of none -> ""; S -> [text(S), $:] end,
    Authority = case {Is(host), Is(userinfo), Is(port)} of
                    {none, none, none} -> "";
                    {Host, User, Port} when Host =/= none ->
                        ["//", case User of none -> ""; _ -> [escape(text(User), ":"), $@] end, host(text(Host)),
                         case Port of none -> ""; undefined -> ":"; _ -> [$: | integer_to_list(Port)] end]
                end,
    Slash = case {Authority, text(Path)} of
                {[_ | _], [C | _]} when C =/= $/ -> "/";
                _ -> ""
            end,
    Query = case Is(query) of none -> ""; Q -> [$?, escape(text(Q), "/?:@")] end,
    Fragment = case Is(fragment) of none -> ""; F -> [$#, escape(text(F), "/?:@")] end,
    Whole = lists:flatten([Scheme, Authority, Slash, escape(text(Path), "/:@"), Query, Fragment]),
    case lists:any(fun is_binary/1, maps:values(Parts)) of
        true -> to_binary(Whole);
        false -> Whole
    end;
recompose(Parts) -> {error, invalid_map, Parts}.

host(Host) ->
    case lists:member($:, Host) of
        true -> [$[, Host, $]];
        false -> escape(Host, "")
    end.

%% What may not stand there is written with percent signs.
escape(Text, More) ->
    [case C =:= $% orelse is_unreserved(C) orelse lists:member(C, "!$&'()*+,;=") orelse lists:member(C, More) of
         true -> C;
         false -> percent(C)
     end || C <- Text].

percent(C) -> [[$%, hex(B bsr 4), hex(B band 15)] || <<B>> <= unicode:characters_to_binary([C])].
hex(N) when N < 10 -> $0 + N;
hex(N) -> $A + N - 10.

text(Text) when is_binary(Text) -> unicode:characters_to_list(Text);
text(Text) -> lists:flatten(Text).

to_binary(Text) when is_list(Text) -> unicode:characters_to_binary(Text);
to_binary(Other) -> Other.

normalize(Uri) -> normalize(Uri, []).
normalize(Uri, Options) when not is_map(Uri) ->
    case parse(Uri) of
        Parts when is_map(Parts) -> normalize(Parts, Options);
        Error -> Error
    end;
normalize(Parts0, Options) ->
    IsBinary = lists:any(fun is_binary/1, maps:values(Parts0)),
    try
        Lists = maps:map(fun(port, Port) -> Port; (_, Part) -> usual_escapes(text(Part)) end, Parts0),
        Lower = maps:map(fun(Key, Part) when Key =:= scheme; Key =:= host -> string:lowercase(Part); (_, Part) -> Part end, Lists),
        Usual = maps:get(maps:get(scheme, Lower, ""), #{"http" => 80, "https" => 443, "ftp" => 21, "ssh" => 22, "sftp" => 22, "tftp" => 69}, none),
        Ported = case Lower of
                     #{port := Port} when Port =:= Usual; Port =:= undefined -> maps:remove(port, Lower);
                     _ -> Lower
                 end,
        Path = without_dots(maps:get(path, Ported, "")),
        Rooted = case Path =:= "" andalso lists:member(maps:get(scheme, Ported, ""), ["http", "https"]) of
                     true -> "/";
                     false -> Path
                 end,
        Done = maps:map(fun(_, Part) when IsBinary -> to_binary(Part); (_, Part) -> Part end, Ported#{path => Rooted}),
        case lists:member(return_map, Options) of
            true -> Done;
            false -> recompose(Done)
        end
    catch throw:{error, _, _} = Error -> Error
    end.

%% Escapes of what needs none are undone, the others are in capitals.
usual_escapes([$%, A, B | Rest]) ->
    case {digit(A), digit(B)} of
        {High, Low} when is_integer(High), is_integer(Low) ->
            C = High * 16 + Low,
            case is_unreserved(C) of
                true -> [C | usual_escapes(Rest)];
                false -> [$%, hex(High), hex(Low) | usual_escapes(Rest)]
            end;
        _ -> throw({error, invalid_percent_encoding, unicode:characters_to_binary([$%, A, B])})
    end;
usual_escapes([C | Rest]) -> [C | usual_escapes(Rest)];
usual_escapes([]) -> [].

digit(C) when C >= $0, C =< $9 -> C - $0;
digit(C) when C >= $a, C =< $f -> C - $a + 10;
digit(C) when C >= $A, C =< $F -> C - $A + 10;
digit(_) -> none.

%% Section 5.2.4 of the RFC.
without_dots(Path) -> without_dots(Path, []).
without_dots("", Done) -> lists:append(lists:reverse(Done));
without_dots("../" ++ Rest, Done) -> without_dots(Rest, Done);
without_dots("./" ++ Rest, Done) -> without_dots(Rest, Done);
without_dots("/./" ++ Rest, Done) -> without_dots([$/ | Rest], Done);
without_dots("/.", Done) -> without_dots("/", Done);
without_dots("/../" ++ Rest, Done) -> without_dots([$/ | Rest], drop(Done));
without_dots("/..", Done) -> without_dots("/", drop(Done));
without_dots(".", Done) -> without_dots("", Done);
without_dots("..", Done) -> without_dots("", Done);
without_dots([$/ | Rest], Done) ->
    {Segment, After} = lists:splitwith(fun(C) -> C =/= $/ end, Rest),
    without_dots(After, [[$/ | Segment] | Done]);
without_dots(Rest, Done) ->
    {Segment, After} = lists:splitwith(fun(C) -> C =/= $/ end, Rest),
    without_dots(After, [Segment | Done]).

drop([]) -> [];
drop([_ | Rest]) -> Rest.

resolve(Reference, Base) -> resolve(Reference, Base, []).
resolve(Reference, Base, Options) ->
    case {parts(Reference), parts(Base)} of
        {R, B} when is_map(R), is_map(B) ->
            case is_map_key(scheme, R) orelse is_map_key(scheme, B) of
                false -> {error, invalid_scheme, ""};
                true ->
                    Target = target(R, B),
                    case lists:member(return_map, Options) of
                        true -> Target;
                        false -> recompose(Target)
                    end
            end;
        {{error, _, _} = Error, _} -> Error;
        {_, Error} -> Error
    end.

parts(Uri) when is_map(Uri) -> Uri;
parts(Uri) -> parse(Uri).

%% Section 5.2.2 of the RFC.
target(#{scheme := _, path := Path} = R, _) -> R#{path => clean(Path)};
target(#{host := _, path := Path} = R, #{scheme := Scheme}) -> R#{path => clean(Path), scheme => Scheme};
target(#{path := Path} = R, B) when Path =:= ""; Path =:= <<>> ->
    Query = case R of
                #{query := _} -> maps:with([query], R);
                _ -> maps:with([query], B)
            end,
    maps:merge(maps:merge(maps:without([query, fragment], B), Query), maps:with([fragment], R));
target(#{path := Path} = R, #{path := Under} = B) ->
    New = case text(Path) of
              [$/ | _] = Absolute -> Absolute;
              Relative ->
                  case {text(Under), is_map_key(host, B)} of
                      {"", true} -> [$/ | Relative];
                      {Text, _} ->
                          {_, Folder} = lists:splitwith(fun(C) -> C =/= $/ end, lists:reverse(Text)),
                          lists:reverse(Folder) ++ Relative
                  end
          end,
    Kept = case is_binary(Path) of true -> to_binary(without_dots(New)); false -> without_dots(New) end,
    maps:merge(maps:without([query, fragment], B), R#{path => Kept}).

clean(Path) when is_binary(Path) -> to_binary(without_dots(text(Path)));
clean(Path) -> without_dots(Path).

dissect_query(Query) when is_binary(Query) ->
    case dissect_query(unicode:characters_to_list(Query)) of
        Pairs when is_list(Pairs) -> [{to_binary(Key), to_binary(Value)} || {Key, Value} <- Pairs];
        Error -> Error
    end;
dissect_query([]) -> [];
dissect_query(Query) ->
    try [pair(Part) || Part <- string:split(Query, "&", all)]
    catch throw:{error, _, _} = Error -> Error
    end.

pair(Text) ->
    case cut($=, Text) of
        {Key, none} -> {form_decoded(Key), true};
        {Key, Value} -> {form_decoded(Key), form_decoded(Value)}
    end.

form_decoded(Text) ->
    case bytes([case C of $+ -> $\s; _ -> C end || C <- Text]) of
        {wrong, Part} -> throw({error, invalid_percent_encoding, Part});
        Bytes -> unicode:characters_to_list(Bytes)
    end.

%% The bytes that a text with percent signs stands for.
bytes(Text) -> bytes(Text, []).
bytes([$%, A, B | Rest], Done) ->
    case {digit(A), digit(B)} of
        {High, Low} when is_integer(High), is_integer(Low) -> bytes(Rest, [<<(High * 16 + Low)>> | Done]);
        _ -> {wrong, [$%, A, B]}
    end;
bytes([C | Rest], Done) -> bytes(Rest, [unicode:characters_to_binary([C]) | Done]);
bytes([], Done) -> iolist_to_binary(lists:reverse(Done)).

compose_query(Pairs) -> compose_query(Pairs, []).
compose_query([], _) -> [];
compose_query(Pairs, _) ->
    Parts = [case Value of
                 true -> form_encoded(Key);
                 _ -> [form_encoded(Key), $=, form_encoded(Value)]
             end || {Key, Value} <- Pairs],
    Whole = lists:flatten(lists:join("&", Parts)),
    case lists:any(fun({Key, Value}) -> is_binary(Key) orelse is_binary(Value) end, Pairs) of
        true -> to_binary(Whole);
        false -> Whole
    end.

form_encoded(Text) ->
    [if C =:= $\s -> $+;
        C =:= $~ -> percent(C);
        true ->
            case is_unreserved(C) orelse C =:= $* of
                true -> C;
                false -> percent(C)
            end
     end || C <- text(Text)].

quote(Text) -> quote(Text, "").
quote(Text, Safe) when is_binary(Text) -> to_binary(quote(unicode:characters_to_list(Text), Safe));
quote(Text, Safe) when is_list(Text) ->
    lists:flatten([case is_unreserved(C) orelse lists:member(C, Safe) of
                       true -> C;
                       false -> percent(C)
                   end || C <- lists:flatten(Text)]).

unquote(Text) -> decoded(Text).

percent_decode(Parts) when is_map(Parts) ->
    try maps:map(fun(_, Part) when is_list(Part); is_binary(Part) ->
                         case decoded(Part) of
                             {error, _, _} = Error -> throw(Error);
                             Plain -> Plain
                         end;
                    (_, Part) -> Part
                 end, Parts)
    catch throw:{error, _, _} = Error -> Error
    end;
percent_decode(Text) -> decoded(Text).

decoded(Text) ->
    case bytes(text(Text)) of
        {wrong, Part} -> {error, invalid_percent_encoding, to_binary(Part)};
        Bytes ->
            case unicode:characters_to_list(Bytes) of
                Plain when is_list(Plain), is_binary(Text) -> to_binary(Plain);
                Plain when is_list(Plain) -> Plain;
                {_, _, Rest} -> {error, invalid_utf8, Rest}
            end
    end.
