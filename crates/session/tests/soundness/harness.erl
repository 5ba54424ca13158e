%% Runs generated programs many times and prints each outcome once: a line for each program, its number and the outcomes.
%% Every process is watched by tracing, because monitors and links could be seen by the programs.
-module(harness).
-export([main/3]).

main(Dir, Numbers, Times) ->
    logger:set_primary_config(level, none),
    register(harness, self()),
    [one(Dir, Number, Wait, Times) || {Number, Wait} <- Numbers],
    halt(0).

one(Dir, Number, Wait, Times) ->
    File = Dir ++ "/m_" ++ integer_to_list(Number) ++ ".erl",
    {ok, m, Binary} = compile:file(File, [binary, {d, 'REAL'}]),
    code:purge(m),
    {module, m} = code:load_binary(m, File, Binary),
    Outcomes = lists:usort(lists:append([runs(N, Wait, Times) || N <- online()])),
    [io:format("~w ~ts~n", [Number, escape(Outcome)]) || Outcome <- Outcomes].

%% All numbers of schedulers, each with its share of the runs: changing the number stops everything for a moment.
online() -> lists:seq(1, erlang:system_info(schedulers)).

runs(N, Wait, Times) ->
    erlang:system_flag(schedulers_online, N),
    [run(Wait) || _ <- lists:seq(N, Times, length(online()))].

escape(Text) -> lists:flatmap(fun($\n) -> "\\n"; (C) -> [C] end, Text).

run(Wait) ->
    catch persistent_term:erase(pk),
    Before = processes(),
    Main = spawn(m, main, []),
    Names = receive {Main, Its} -> Its after 5000 -> exit({no_names, Main}) end,
    [erlang:trace(P, true, [procs]) || {_, P} <- Names, is_pid(P), is_process_alive(P)],
    Main ! continue,
    settle(Main, [P || {_, P} <- Names, is_pid(P)], Wait, 0, erlang:monotonic_time(millisecond) + 10000),
    Reasons = all_reasons(Names, #{}),
    {_, Cells} = lists:keyfind(cells, 1, element(2, process_info(Main, dictionary))),
    Text = outcome(Names, Reasons, Cells),
    [exit(P, kill) || P <- processes() -- Before],
    gone(processes() -- Before, Before),
    flush(),
    Text.

%% Nothing runs, and after as long as timers could wait still nothing does. One long sleep, not many short ones: on a busy
%% machine every one of them ends late.
settle(Main, Pids, Wait, Quiet, End) ->
    timer:sleep(case Quiet of 1 -> Wait; _ -> 0 end),
    Ready = case process_info(Main, dictionary) of
        {_, D} -> lists:keymember(ready, 1, D);
        undefined -> true
    end,
    IsQuiet = Ready andalso erlang:statistics(total_active_tasks_all) =< 1
        andalso not lists:any(fun is_asking/1, Pids),
    IsLate = erlang:monotonic_time(millisecond) > End,
    case IsQuiet of
        true when Quiet >= 3 -> ok;
        true -> settle(Main, Pids, Wait, Quiet + 1, End);
        false when IsLate -> ok;
        false -> settle(Main, Pids, Wait, 0, End)
    end.

%% ets:all/0 waits for answers of the schedulers, and who changes a persistent term is suspended for a while: neither is a task
%% of any process.
is_asking(P) ->
    case process_info(P, [current_function, status]) of
        [{_, {ets, _, _}}, _] -> true;
        [_, {_, Status}] -> Status =/= waiting;
        undefined -> false
    end.

%% A process that others see as gone may still be on its way to telling why.
all_reasons(Names, Known) ->
    Reasons = reasons(Known),
    Gone = [P || {Name, P} <- Names, is_pid(P), Name =/= d, not is_process_alive(P)],
    case [P || P <- Gone, not is_map_key(P, Reasons)] of
        [] -> Reasons;
        _ -> timer:sleep(1), all_reasons(Names, Reasons)
    end.

reasons(Known) ->
    Ref = erlang:trace_delivered(all),
    receive {trace_delivered, all, Ref} -> ok end,
    collected(Known).

collected(Known) ->
    receive
        {trace, P, exit, Reason} -> collected(Known#{P => Reason});
        {trace, _, _, _} -> collected(Known);
        {trace, _, _, _, _} -> collected(Known)
    after 0 -> Known
    end.

gone(Left, Before) ->
    case [P || P <- Left, is_process_alive(P)] of
        [] -> ok;
        More -> [exit(P, kill) || P <- More], erlang:yield(), gone(processes() -- Before, Before)
    end.

flush() -> receive _ -> flush() after 0 -> ok end.

outcome(Names, Reasons, {C, X}) ->
    Lines = [line(Name, P, Reasons, Names) || {Name, P} <- Names, is_pid(P), Name =/= d],
    Tables = lists:sort([table(T, Names) || T <- [t, t2, o], ets:info(T, owner) =/= undefined]),
    Registered = [["name ", atom_to_list(N), " ", text(whereis(N), Names), "\n"]
                  || N <- [n, n2], whereis(N) =/= undefined],
    Cells = [io_lib:format("cells [~w, ~w]~n", [counters:get(C, 1), counters:get(C, 2)]) || C =/= none]
        ++ [io_lib:format("cells [~w]~n", [atomics:get(X, 1)]) || X =/= none],
    Kept = [["persistent ", text(V, Names), "\n"] || V <- [persistent_term:get(pk, none)], V =/= none],
    lists:flatten([Lines, Tables, Registered, Cells, Kept]).

line(Name, P, Reasons, Names) ->
    case process_info(P, [dictionary, messages]) of
        undefined -> [atom_to_list(Name), " ended ", text(maps:get(P, Reasons, unknown), Names), "\n"];
        [{_, Dictionary}, {_, Messages}] ->
            Log = proplists:get_value(log, Dictionary, none),
            Texts = lists:sort([text(M, Names) || M <- Messages]),
            [atom_to_list(Name), " waits ", text(Log, Names), " [", lists:join(",", Texts), "]\n"]
    end.

table(T, Names) ->
    Objects = lists:sort([text(Object, Names) || Object <- ets:tab2list(T)]),
    lists:flatten(["table ", atom_to_list(T), " of ", text(ets:info(T, owner), Names),
                   " [", lists:join(",", Objects), "]\n"]).

text(Term, Names) -> lists:flatten(io_lib:format("~w", [named(Term, Names)])).

named(P, Names) when is_pid(P) ->
    case lists:keyfind(P, 2, Names) of {Name, _} -> Name; false -> pid end;
named(R, _) when is_reference(R) -> ref;
named(F, _) when is_function(F) -> function;
named([H | T], Names) -> [named(H, Names) | named(T, Names)];
named(Tuple, Names) when is_tuple(Tuple) ->
    list_to_tuple([named(E, Names) || E <- tuple_to_list(Tuple)]);
named(Map, Names) when is_map(Map) ->
    maps:from_list([{named(K, Names), named(V, Names)} || {K, V} <- maps:to_list(Map)]);
named(Other, _) -> Other.
