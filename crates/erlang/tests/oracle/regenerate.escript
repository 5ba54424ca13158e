#!/usr/bin/env escript
%%! +S 2 -noshell -enable-feature maybe_expr
%% Writes what real Erlang prints for every case of the corpus, and COVERAGE.md.
%% Needs an installed Erlang (OTP 25). Usage: escript regenerate.escript [-c] [NAME ...]
%% With -c nothing is written: expectations that differ are listed and the exit code is 1. Names choose files.
%% Expressions: expressions/*.txt holds paragraphs: an expression, then what it gives. `=>` is the value printed
%% with ~p (further lines are indented by three spaces), `~~` the same printed with ~w where that differs, `!!` the
%% class and reason of an exception. Lines starting with % are comments. Each file becomes one module, with header.hrl on
%% top and each expression a function body, run in a process of its own.
%% Programs: programs/NAME.erl exports main/0; what it prints goes to NAME.out. Each runs 20 times and must print the
%% same each time. Error reports of dying processes are switched off and not part of the output.

-mode(compile).

main(Arguments) ->
    logger:set_primary_config(level, none),
    Root = filename:dirname(filename:absname(escript:script_name())),
    {Check, Names} = lists:partition(fun(A) -> A =:= "-c" end, Arguments),
    put(check, Check =/= []),
    Work = "/tmp/foresee-oracle-" ++ os:getpid(),
    ok = filelib:ensure_dir(Work ++ "/x"),
    Wanted = fun(File) -> Names =:= [] orelse lists:member(filename:basename(filename:rootname(File)), Names) end,
    {ok, Tick} = timer:send_interval(100000, tick),
    {ok, cancel} = timer:cancel(Tick),
    [] = dets:all(),
    Texts = [F || F <- lists:sort(filelib:wildcard(Root ++ "/expressions/*.txt")), Wanted(F)],
    Programs = [F || F <- lists:sort(filelib:wildcard(Root ++ "/programs/*.erl")), Wanted(F)],
    Header = Root ++ "/expressions/header.hrl",
    A = [expressions(F, Header, Work) || F <- Texts],
    B = [program(F) || F <- Programs],
    Counts = [{lists:sum([N || {N, _} <- A]), "expressions"}, {length(B), "programs"}],
    [io:format("~w ~s~n", [N, What]) || {N, What} <- Counts],
    case Names of
        [] -> coverage(Root, lists:append([Calls || {_, Calls} <- A ++ B]), Counts);
        _ -> ok
    end,
    halt(case get(bad) of true -> 1; _ -> 0 end).

bad(Format, Args) -> put(bad, true), io:format(Format ++ "~n", Args).

%% Writes a file, or says that it would change.
put_file(File, Text) ->
    New = unicode:characters_to_binary(Text),
    case file:read_file(File) of
        {ok, New} -> ok;
        _ ->
            case get(check) of
                true -> bad("~ts would change", [File]);
                false -> ok = file:write_file(File, New)
            end
    end.

%%% Expressions.

expressions(File, Header, Work) ->
    {ok, Text} = file:read_file(File),
    Parts = paragraphs(binary:split(Text, <<"\n">>, [global])),
    Cases = [Lines || {expression, Lines} <- Parts],
    Name = "expressions_" ++ filename:basename(File, ".txt"),
    {ok, Top} = file:read_file(Header),
    Source = [io_lib:format("-module(~s).~n-feature(maybe_expr, enable).~n-compile([export_all, nowarn_export_all]).~n", [Name]), Top, "\n",
              [[io_lib:format("case_~w() ->~n", [I]), lists:join("\n", Lines), ".\n\n"]
               || {I, Lines} <- lists:enumerate(Cases)]],
    Erl = filename:join(Work, Name ++ ".erl"),
    ok = file:write_file(Erl, Source),
    Module = compile_file(Erl, File),
    Results = [result(Module, I) || I <- lists:seq(1, length(Cases))],
    put_file(File, join_parts(Parts, Results)),
    {length(Cases), calls(Erl, "expressions/" ++ filename:basename(File))}.

paragraphs(Lines) -> paragraphs(Lines, [], []).

paragraphs([<<>> | Rest], Current, Done) -> paragraphs(Rest, [], part(Current, Done));
paragraphs([<<"%", _/binary>> = Comment | Rest], [], Done) -> paragraphs(Rest, [], [{comment, Comment} | Done]);
paragraphs([Line | Rest], Current, Done) -> paragraphs(Rest, [Line | Current], Done);
paragraphs([], Current, Done) -> lists:reverse(part(Current, Done)).

part([], Done) -> Done;
part(Current, Done) -> [{expression, without_result(lists:reverse(Current))} | Done].

without_result(Lines) ->
    lists:takewhile(fun(<<"=>", _/binary>>) -> false; (<<"!!", _/binary>>) -> false; (_) -> true end, Lines).

join_parts([{comment, Comment} | Rest], Results) -> [Comment, "\n", blank(Rest), join_parts(Rest, Results)];
join_parts([{expression, Lines} | Rest], [Result | Results]) ->
    [lists:join("\n", Lines), "\n", Result, "\n", [["\n"] || Rest =/= []], join_parts(Rest, Results)];
join_parts([], []) -> [].

blank([{comment, _} | _]) -> "";
blank(_) -> "\n".

result(Module, I) ->
    Name = list_to_atom("case_" ++ integer_to_list(I)),
    Self = self(),
    {Pid, Monitor} = spawn_monitor(fun() -> Self ! {self(), evaluated(Module, Name)} end),
    receive
        {Pid, Result} -> demonitor(Monitor, [flush]), Result;
        {'DOWN', Monitor, process, Pid, Reason} -> io_lib:format("!! killed:~0tp", [Reason])
    after 10000 -> bad("~s ~w does not end", [Module, I]), exit(Pid, kill), "!! endless"
    end.

evaluated(Module, Name) ->
    try Module:Name() of
        Value ->
            Pretty = lists:flatten(io_lib:format("~tp", [Value])),
            Plain = lists:flatten(io_lib:format("~tw", [Value])),
            ["=> ", lists:join("\n   ", string:split(Pretty, "\n", all)), [["\n~~ ", Plain] || Plain =/= Pretty]]
    catch
        Class:Reason -> io_lib:format("!! ~w:~0tp", [Class, Reason])
    end.

%%% Programs.

program(File) ->
    Module = compile_file(File, File),
    Outputs = outputs(Module, 20),
    case lists:usort(Outputs) of
        [One] -> put_file(filename:rootname(File) ++ ".out", One);
        [A, B | _] -> bad("~s prints different things:~n~ts----~n~ts", [Module, A, B])
    end,
    code:purge(Module),
    code:delete(Module),
    {1, calls(File, "programs/" ++ filename:basename(File))}.

%% A program that fails once is not run again.
outputs(_, 0) -> [];
outputs(Module, N) ->
    Before = erase(bad),
    Output = output(Module),
    case get(bad) of
        true -> [Output];
        _ -> put(bad, Before), [Output | outputs(Module, N - 1)]
    end.

%% Runs main/0 with a group leader that keeps what is printed.
output(Module) ->
    Registered = registered(),
    Tables = ets:all(),
    Leader = spawn_link(fun() -> leader([]) end),
    {Pid, Monitor} = spawn_monitor(fun() -> group_leader(Leader, self()), Module:main() end),
    receive
        {'DOWN', Monitor, process, Pid, normal} -> ok;
        {'DOWN', Monitor, process, Pid, Reason} -> bad("~s ends with ~0tp", [Module, Reason])
    after 20000 -> bad("~s does not end", [Module]), exit(Pid, kill)
    end,
    [bad("~s leaves a process registered as ~w", [Module, N]) || N <- registered() -- Registered, N =/= timer_server],
    [bad("~s leaves table ~w", [Module, T]) || T <- ets:all() -- Tables, T =/= timer_tab, T =/= timer_interval_tab],
    Leader ! {get, self()},
    receive {output, Text} -> Text end.

leader(Text) ->
    receive
        {io_request, From, As, Request} ->
            {Reply, More} = request(Request),
            From ! {io_reply, As, Reply},
            leader([Text, More]);
        {get, From} -> From ! {output, unicode:characters_to_binary(Text)}
    end.

request({put_chars, _, Chars}) -> {ok, unicode:characters_to_list(Chars)};
request({put_chars, _, M, F, A}) -> {ok, unicode:characters_to_list(apply(M, F, A))};
request({requests, Requests}) ->
    Results = [request(R) || R <- Requests],
    {ok, [Text || {_, Text} <- Results]};
request(getopts) -> {[{encoding, unicode}], []};
request(_) -> {{error, enotsup}, []}.

compile_file(Erl, For) ->
    Work = filename:dirname(Erl),
    Out = case filename:extension(For) of
              ".txt" -> Work;
              _ -> "/tmp/foresee-oracle-" ++ os:getpid()
          end,
    Options = [{outdir, Out}, return, nowarn_unused_vars, nowarn_deprecated_function, nowarn_removed],
    case compile:file(Erl, Options) of
        {ok, Module, _} ->
            code:add_patha(Out),
            code:purge(Module),
            {module, Module} = code:load_abs(filename:join(Out, atom_to_list(Module))),
            Module;
        {error, Errors, _} ->
            [io:format("~s:~p: ~ts~n", [For, L, M:format_error(E)]) || {_, Es} <- Errors, {L, M, E} <- Es],
            halt(2)
    end.

%%% Coverage: which functions of the usage lists occur in which case.

calls(Erl, Case) ->
    {ok, Forms} = epp:parse_file(Erl, [{features, [maybe_expr]}]),
    Local = [{F, A} || {function, _, F, A, _} <- Forms],
    [{Call, Case} || Call <- lists:usort(walk(Forms, Local))].

walk({call, _, {remote, _, {atom, _, M}, {atom, _, F}}, Args}, Local) ->
    [{M, F, length(Args)} | walk(Args, Local)];
walk({call, _, {atom, _, F}, Args}, Local) ->
    A = length(Args),
    case lists:member({F, A}, Local) of
        true -> walk(Args, Local);
        false -> [{erlang, F, A} | walk(Args, Local)]
    end;
walk({'fun', _, {function, {atom, _, M}, {atom, _, F}, {integer, _, A}}}, _) -> [{M, F, A}];
walk({op, _, '!', A, B}, Local) -> [{erlang, '!', 2} | walk([A, B], Local)];
walk(Tuple, Local) when is_tuple(Tuple) -> walk(tuple_to_list(Tuple), Local);
walk([X | Rest], Local) -> walk(X, Local) ++ walk(Rest, Local);
walk(_, _) -> [].

%% The usage lists live beside the repository's notes; without them the functions found are listed alone.
coverage(Root, Calls, Counts) ->
    Cases = lists:foldl(fun({Call, Case}, Map) -> Map#{Call => [Case | maps:get(Call, Map, [])]} end, #{}, Calls),
    Usage = usage(Root),
    Used = [MFA || {_, MFA} <- Usage],
    {Found, Missing} = lists:partition(fun({_, MFA}) -> is_map_key(MFA, Cases) end, Usage),
    Others = lists:sort(maps:keys(Cases) -- Used),
    Text = ["# Which functions the corpus calls\n\n",
            "Written by regenerate.escript. ", [io_lib:format("~w ~s, ", [N, W]) || {N, W} <- Counts],
            io_lib:format("~w of the ~w functions in the usage lists.~n~n", [length(Found), length(Usage)]),
            "| files that use it | function | cases |\n|---|---|---|\n",
            [io_lib:format("| ~w | ~s | ~s |~n", [N, mfa(MFA), cases(maps:get(MFA, Cases))]) || {N, MFA} <- Found],
            "\n## Called in the corpus, not in the usage lists\n\n| function | cases |\n|---|---|\n",
            [io_lib:format("| ~s | ~s |~n", [mfa(MFA), cases(maps:get(MFA, Cases))]) || {_, F, _} = MFA <- Others, F =/= '!'],
            "\n## In the usage lists, not in the corpus\n\n",
            lists:join(", ", [io_lib:format("~s (~w)", [mfa(MFA), N]) || {N, MFA} <- Missing]), "\n"],
    put_file(filename:join(Root, "COVERAGE.md"), Text),
    io:format("~w of ~w functions in the usage lists~n", [length(Found), length(Usage)]).

mfa({M, F, A}) -> io_lib:format("~w:~w/~w", [M, F, A]).

cases(Cases) ->
    Sorted = lists:usort(Cases),
    Shown = [filename:rootname(C) || C <- lists:sublist(Sorted, 3)],
    [lists:join(", ", Shown), [io_lib:format(" and ~w more", [length(Sorted) - 3]) || length(Sorted) > 3]].

usage(Root) ->
    Files = [F || F <- [filename:join(Root, "usage.tsv")], filelib:is_file(F)],
    lists:append([usage_lines(F) || F <- Files]).

usage_lines(File) ->
    {ok, Text} = file:read_file(File),
    [begin
         [Count, Function] = binary:split(Line, <<"\t">>),
         [M, F, A] = re:split(Function, "[:/]", [{return, list}]),
         {binary_to_integer(Count), {list_to_atom(M), list_to_atom(F), list_to_integer(A)}}
     end || Line <- binary:split(Text, <<"\n">>, [global]), Line =/= <<>>].
