%% Common Test: the cases of a suite, and what a case calls.
%% A case is checked alone: init_per_suite, the groups around it from the outside in, init_per_testcase,
%% the case, and the ends in the other order. As in OTP, each of them runs in a process of its own,
%% except that a case shares its process with init_per_testcase and end_per_testcase. Time traps are
%% not enforced, since time is virtual. Configuration files are not read: a suite that requires a
%% variable does not get it.
-module(ct).

-export([pal/1, pal/2, pal/3, pal/4, pal/5, log/1, log/2, log/3, log/4, log/5, print/1, print/2, print/3,
         print/4, print/5, comment/1, comment/2, fail/1, fail/2, sleep/1, timetrap/1, get_timetrap_info/0,
         get_config/1, get_config/2, get_config/3, require/1, require/2, get_status/0, notify/2,
         capture_start/0, capture_stop/0, capture_get/0, capture_get/1, set_verbosity/2, get_verbosity/1,
         get_testspec_terms/0, get_testspec_terms/1, remaining_test_procs/0, break/1, break/2,
         run/1, run/2, run/3, run_test/1, start_interactive/0, get_progname/0, get_event_mgr_ref/0,
         foresee_cases/1, foresee_case/3]).

%% The cases of a suite, each with the groups it is in from the outside in; the reason of the exit is
%% the answer.
foresee_cases(Suite) ->
    exit({foresee_cases, lists:append([cases(Suite, Test, []) || Test <- listed(Suite:all())])}).

listed({skip, _}) -> [];
listed(Tests) when is_list(Tests) -> Tests.

cases(Suite, {group, Name}, Groups) -> group(Suite, Name, Groups);
cases(Suite, {group, Name, _}, Groups) -> group(Suite, Name, Groups);
cases(Suite, {group, Name, _, _}, Groups) -> group(Suite, Name, Groups);
cases(Suite, {testcase, Case, _}, Groups) -> cases(Suite, Case, Groups);
cases(Suite, {Name, Properties, Tests}, Groups) when is_atom(Name), is_list(Properties), is_list(Tests) ->
    lists:append([cases(Suite, Test, [Name | Groups]) || Test <- Tests]);
cases(Suite, {Name, Tests}, Groups) when is_atom(Name), is_list(Tests) ->
    lists:append([cases(Suite, Test, [Name | Groups]) || Test <- Tests]);
cases(Suite, {Module, Case}, Groups) when is_atom(Module), is_atom(Case) ->
    case Module of
        Suite -> cases(Suite, Case, Groups);
        _ -> []
    end;
cases(_, Case, Groups) when is_atom(Case) -> [{lists:reverse(Groups), Case}].

group(Suite, Name, Groups) ->
    case find_group(Name, groups(Suite)) of
        {Name, _, Tests} ->
            lists:append([cases(Suite, Test, [Name | Groups]) || Test <- Tests]);
        none -> []
    end.

groups(Suite) ->
    case erlang:function_exported(Suite, groups, 0) of
        true -> [whole_group(Group) || Group <- Suite:groups()];
        false -> []
    end.

whole_group({Name, Tests}) -> {Name, [], Tests};
whole_group({Name, Properties, Tests}) -> {Name, Properties, Tests}.

%% A group may be defined where it is used.
find_group(_, []) -> none;
find_group(Name, [{Name, _, _} = Group | _]) -> Group;
find_group(Name, [{_, _, Tests} | Groups]) ->
    Inner = [whole_group(Test) || Test <- Tests, is_group(Test)],
    case find_group(Name, Inner) of
        none -> find_group(Name, Groups);
        Group -> Group
    end.

is_group({Name, Tests}) -> is_atom(Name) andalso Name =/= group andalso is_list(Tests);
is_group({Name, Properties, Tests}) ->
    is_atom(Name) andalso Name =/= group andalso Name =/= testcase andalso is_list(Properties)
        andalso is_list(Tests);
is_group(_) -> false.

%% Runs one case with everything around it.
foresee_case(Suite, Groups, Case) ->
    Config = [{data_dir, "/project/test/" ++ atom_to_list(Suite) ++ "_data/"},
              {priv_dir, "/tmp/ct/"}, {watchdog, self()}],
    Body = fun(SuiteConfig) -> in_groups(Suite, Groups, [], Case, SuiteConfig) end,
    around(Suite, init_per_suite, end_per_suite, [], Config, Body),
    ok.

in_groups(Suite, [], _, Case, Config) -> alone(fun() -> case_of(Suite, Case, Config) end);
in_groups(Suite, [Group | Groups], Around, Case, Config) ->
    Properties =
        case find_group(Group, groups(Suite)) of
            {Group, Found, _} -> Found;
            none -> []
        end,
    Told = [{tc_group_properties, [{name, Group} | Properties]},
            {tc_group_path, [[{name, Name}] || Name <- Around]}],
    Body = fun(Inner) -> in_groups(Suite, Groups, [Group | Around], Case, Inner) end,
    Given = Told ++ [Entry || Entry <- Config, not is_group_entry(Entry)],
    around(Suite, init_per_group, end_per_group, [Group], Given, Body).

is_group_entry({tc_group_properties, _}) -> true;
is_group_entry({tc_group_path, _}) -> true;
is_group_entry(_) -> false.

%% The beginning, the body, and the end whatever becomes of the body.
around(Suite, Init, End, Arguments, Config, Body) ->
    Arity = length(Arguments) + 1,
    Begun =
        case erlang:function_exported(Suite, Init, Arity) of
            true -> alone(fun() -> apply(Suite, Init, Arguments ++ [Config]) end);
            false -> Config
        end,
    case Begun of
        {skip, _} -> skipped;
        {skip_and_save, _, _} -> skipped;
        {fail, Reason} -> exit({Init, failed, Reason});
        Given when is_list(Given) ->
            try
                Body(Given)
            after
                case erlang:function_exported(Suite, End, Arity) of
                    true -> alone(fun() -> apply(Suite, End, Arguments ++ [Given]) end);
                    false -> ok
                end
            end;
        Other -> exit({Init, bad_return, Other})
    end.

case_of(Suite, Case, Config) ->
    Begun =
        case erlang:function_exported(Suite, init_per_testcase, 2) of
            true -> Suite:init_per_testcase(Case, Config);
            false -> Config
        end,
    case Begun of
        {skip, _} -> skipped;
        {fail, Reason} -> exit({init_per_testcase, failed, Reason});
        Given when is_list(Given) -> run_case(Suite, Case, Given);
        Other -> exit({init_per_testcase, bad_return, Other})
    end.

%% As in OTP, a failure of the end of a case is told and does not fail the case.
run_case(Suite, Case, Config) ->
    try Suite:Case(Config) of
        {fail, Reason} -> exit({test_case_failed, Reason});
        Result -> Result
    after
        case erlang:function_exported(Suite, end_per_testcase, 2) of
            true ->
                try Suite:end_per_testcase(Case, Config) of
                    {fail, Why} -> exit({end_per_testcase, failed, Why});
                    _ -> ok
                catch
                    Class:Why ->
                        io:format("~p:end_per_testcase(~p, ...): ~p:~p~n", [Suite, Case, Class, Why])
                end;
            false -> ok
        end
    end.

%% Calls a fun in a process of its own, which ends as it does.
alone(Fun) ->
    Parent = self(),
    Reference = make_ref(),
    {Pid, Monitor} = spawn_monitor(fun() -> Parent ! {Reference, Fun()} end),
    receive
        {'DOWN', Monitor, process, Pid, normal} ->
            receive {Reference, Result} -> Result end;
        {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
    end.

%% What cases call.
pal(Format) -> say(Format, []).
pal(Format, Args) when is_list(Args), not is_atom(Format), not is_integer(Format) -> say(Format, Args);
pal(_, Format) -> say(Format, []).
pal(_, Importance, Format) when is_integer(Importance) -> say(Format, []);
pal(Format, Args, Options) when is_list(Options), not is_atom(Format), not is_integer(Format) ->
    say(Format, Args);
pal(_, Format, Args) -> say(Format, Args).
pal(_, Importance, Format, Args) when is_integer(Importance) -> say(Format, Args);
pal(_, Format, Args, _) -> say(Format, Args).
pal(_, _, Format, Args, _) -> say(Format, Args).

log(Format) -> pal(Format).
log(A, B) -> pal(A, B).
log(A, B, C) -> pal(A, B, C).
log(A, B, C, D) -> pal(A, B, C, D).
log(A, B, C, D, E) -> pal(A, B, C, D, E).

print(Format) -> pal(Format).
print(A, B) -> pal(A, B).
print(A, B, C) -> pal(A, B, C).
print(A, B, C, D) -> pal(A, B, C, D).
print(A, B, C, D, E) -> pal(A, B, C, D, E).

%% A format that its arguments do not fit is no failure of a case.
say(Format, Args) ->
    try io:format(Format, Args) of
        _ -> io:nl()
    catch
        error:_ -> io:format("~p ~p~n", [Format, Args])
    end,
    ok.

comment(_) -> ok.
comment(_, _) -> ok.

fail(Reason) -> exit({test_case_failed, Reason}).
fail(Format, Args) -> exit({test_case_failed, lists:flatten(io_lib:format(Format, Args))}).

sleep({hours, N}) -> timer:sleep(timer:hours(N));
sleep({minutes, N}) -> timer:sleep(timer:minutes(N));
sleep({seconds, N}) -> timer:sleep(timer:seconds(N));
sleep(Time) -> timer:sleep(Time).

timetrap(_) -> ok.
get_timetrap_info() -> {infinity, {true, 1}}.

get_config(_) -> undefined.
get_config(_, Default) -> Default.
get_config(_, Default, _) -> Default.

require(Name) -> {error, {not_available, Name}}.
require(_, Required) -> {error, {not_available, Required}}.

get_status() -> no_tests_running.
notify(_, _) -> ok.
set_verbosity(_, _) -> ok.
get_verbosity(_) -> 100.
get_testspec_terms() -> undefined.
get_testspec_terms(_) -> undefined.
remaining_test_procs() -> {[], undefined, undefined}.
get_progname() -> "erl".
get_event_mgr_ref() -> ct_event.

capture_start() -> erlang:'$not_modelled'(ct, capture_start, 0).
capture_stop() -> erlang:'$not_modelled'(ct, capture_stop, 0).
capture_get() -> erlang:'$not_modelled'(ct, capture_get, 0).
capture_get(_) -> erlang:'$not_modelled'(ct, capture_get, 1).
break(_) -> erlang:'$not_modelled'(ct, break, 1).
break(_, _) -> erlang:'$not_modelled'(ct, break, 2).
run(_) -> erlang:'$not_modelled'(ct, run, 1).
run(_, _) -> erlang:'$not_modelled'(ct, run, 2).
run(_, _, _) -> erlang:'$not_modelled'(ct, run, 3).
run_test(_) -> erlang:'$not_modelled'(ct, run_test, 1).
start_interactive() -> erlang:'$not_modelled'(ct, start_interactive, 0).
