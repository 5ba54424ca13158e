%% Runs the tests of modules: functions whose names end in _test, and what generators ending in
%% _test_ give.
%% As in OTP, each test runs in a process of its own, one after another, and a module's tests include
%% those of the module of the same name with _tests at the end. Timeouts are not enforced, since time
%% is virtual; tests that ask to run in parallel run one after another. A failing test prints its
%% name and reason; the result is ok or error.
-module(eunit).

-export([test/1, test/2, start/0, stop/0, foresee_generator/2]).

-spec start() -> ok.
start() -> ok.

-spec stop() -> ok.
stop() -> ok.

-spec test(term()) -> ok | error.
test(Tests) -> test(Tests, []).

-spec test(term(), [term()]) -> ok | error.
test(Tests, Options) ->
    {Passed, Failed} = run(Tests, top, {0, 0}),
    report(Passed, Failed, lists:member(verbose, Options)),
    case Failed of
        0 -> ok;
        _ -> error
    end.

report(0, 0, _) -> io:format("  There were no tests to run.~n");
report(1, 0, _) -> io:format("  Test passed.~n");
report(2, 0, _) -> io:format("  2 tests passed.~n");
report(Passed, 0, _) -> io:format("  All ~w tests passed.~n", [Passed]);
report(Passed, Failed, _) -> io:format("  Failed: ~w.  Skipped: 0.  Passed: ~w.~n", [Failed, Passed]).

%% What a check of a generator starts: a test that fails ends its process with the reason, and then
%% this one with the same.
foresee_generator(Module, F) ->
    run_generator(fun Module:F/0, {Module, F}, raise),
    ok.

%% A test or a set of tests, the name of what it belongs to, and counts so far; or, in place of
%% counts, that failures are to be raised.
run(Module, top, Counts) when is_atom(Module) -> run_module(Module, Counts);
run({module, Module}, _, Counts) when is_atom(Module) -> run_module(Module, Counts);
run({generator, F}, Name, Counts) when is_function(F, 0) -> run_generator(F, Name, Counts);
run({generator, Module, F}, _, Counts) when is_atom(Module), is_atom(F) ->
    run_generator(fun Module:F/0, {Module, F}, Counts);
run({setup, Setup, Tests}, Name, Counts) -> run_setup(Setup, fun(_) -> ok end, Tests, Name, Counts);
run({setup, Where, Setup, Tests}, Name, Counts) when is_atom(Where) ->
    run_setup(Setup, fun(_) -> ok end, Tests, Name, Counts);
run({setup, Setup, Cleanup, Tests}, Name, Counts) -> run_setup(Setup, Cleanup, Tests, Name, Counts);
run({setup, _, Setup, Cleanup, Tests}, Name, Counts) ->
    run_setup(Setup, Cleanup, Tests, Name, Counts);
run({foreach, Setup, Tests}, Name, Counts) ->
    run_each(Setup, fun(_) -> ok end, Tests, Name, Counts);
run({foreach, Where, Setup, Tests}, Name, Counts) when is_atom(Where) ->
    run_each(Setup, fun(_) -> ok end, Tests, Name, Counts);
run({foreach, Setup, Cleanup, Tests}, Name, Counts) ->
    run_each(Setup, Cleanup, Tests, Name, Counts);
run({foreach, _, Setup, Cleanup, Tests}, Name, Counts) ->
    run_each(Setup, Cleanup, Tests, Name, Counts);
run({foreachx, SetupX, Pairs}, Name, Counts) ->
    run_each_x(SetupX, fun(_, _) -> ok end, Pairs, Name, Counts);
run({foreachx, Where, SetupX, Pairs}, Name, Counts) when is_atom(Where) ->
    run_each_x(SetupX, fun(_, _) -> ok end, Pairs, Name, Counts);
run({foreachx, SetupX, CleanupX, Pairs}, Name, Counts) ->
    run_each_x(SetupX, CleanupX, Pairs, Name, Counts);
run({foreachx, _, SetupX, CleanupX, Pairs}, Name, Counts) ->
    run_each_x(SetupX, CleanupX, Pairs, Name, Counts);
run({with, Value, Tests}, Name, Counts) when is_list(Tests) ->
    run([fun() -> F(Value) end || F <- Tests], Name, Counts);
run({timeout, _, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({inorder, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({inparallel, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({inparallel, _, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({spawn, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({spawn, _, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({Line, F}, Name, Counts) when is_integer(Line), is_function(F, 0) ->
    run_one(F, {Name, Line}, Counts);
run({Line, Tests}, Name, Counts) when is_integer(Line) -> run(Tests, {Name, Line}, Counts);
run({Module, F}, _, Counts) when is_atom(Module), is_atom(F) ->
    run_one(fun Module:F/0, {Module, F}, Counts);
run({test, Module, F}, _, Counts) when is_atom(Module), is_atom(F) ->
    run_one(fun Module:F/0, {Module, F}, Counts);
run({Title, Tests}, _, Counts) when is_list(Title); is_binary(Title) -> run(Tests, Title, Counts);
run(F, Name, Counts) when is_function(F, 0) -> run_one(F, Name, Counts);
run([], _, Counts) -> Counts;
run([Character | _] = Title, _, Counts) when is_integer(Character) -> bad_test(Title, Counts);
run([Test | Tests], Name, Counts) -> run(Tests, Name, run(Test, Name, Counts));
run(Other, _, Counts) -> bad_test(Other, Counts).

bad_test(Term, Counts) -> failed({bad_test, Term}, error, {bad_test, Term}, [], Counts).

run_module(Module, Counts) ->
    Own = run_functions(Module, Counts),
    Name = atom_to_list(Module),
    case lists:suffix("_tests", Name) of
        true -> Own;
        false -> run_functions(list_to_atom(Name ++ "_tests"), Own)
    end.

run_functions(Module, Counts) ->
    Exports =
        try Module:module_info(exports)
        catch error:undef -> []
        end,
    Functions = [F || {F, 0} <- lists:sort(Exports)],
    lists:foldl(fun(F, C) -> run_function(Module, F, C) end, Counts, Functions).

run_function(Module, F, Counts) ->
    Name = atom_to_list(F),
    case {lists:suffix("_test", Name), lists:suffix("_test_", Name)} of
        {true, _} -> run_one(fun Module:F/0, {Module, F}, Counts);
        {_, true} -> run_generator(fun Module:F/0, {Module, F}, Counts);
        _ -> Counts
    end.

run_generator(F, Name, Counts) ->
    try F() of
        Tests -> run(Tests, Name, Counts)
    catch
        Class:Reason:Stack -> failed(Name, Class, Reason, Stack, Counts)
    end.

run_setup(Setup, Cleanup, Tests, Name, Counts) ->
    try Setup() of
        Value ->
            try
                run(instantiate(Tests, Value), Name, Counts)
            after
                Cleanup(Value)
            end
    catch
        Class:Reason:Stack -> failed(Name, Class, Reason, Stack, Counts)
    end.

run_each(Setup, Cleanup, Tests, Name, Counts) ->
    lists:foldl(fun(Test, C) -> run_setup(Setup, Cleanup, Test, Name, C) end, Counts, Tests).

run_each_x(SetupX, CleanupX, Pairs, Name, Counts) ->
    One = fun({X, F}, C) ->
        Instantiated = fun(Value) -> F(X, Value) end,
        run_setup(fun() -> SetupX(X) end, fun(V) -> CleanupX(X, V) end, Instantiated, Name, C)
    end,
    lists:foldl(One, Counts, Pairs).

instantiate(F, Value) when is_function(F, 1) -> F(Value);
instantiate({with, Tests}, Value) -> {with, Value, Tests};
instantiate(Tests, _) -> Tests.

%% A failure that is to be raised ends the test's process; others are told to this one.
run_one(F, Name, raise) ->
    {Pid, Monitor} = spawn_monitor(F),
    receive
        {'DOWN', Monitor, process, Pid, normal} -> raise;
        {'DOWN', Monitor, process, Pid, Reason} -> failed(Name, exit, Reason, [], raise)
    end;
run_one(F, Name, {Passed, _} = Counts) ->
    Parent = self(),
    Test = fun() ->
        Outcome =
            try F() of
                _ -> passed
            catch
                Class:Reason:Stack -> {Class, Reason, Stack}
            end,
        Parent ! {self(), Outcome}
    end,
    {Pid, Monitor} = spawn_monitor(Test),
    receive
        {Pid, Outcome} ->
            demonitor(Monitor, [flush]),
            case Outcome of
                passed -> setelement(1, Counts, Passed + 1);
                {Class, Reason, Stack} -> failed(Name, Class, Reason, Stack, Counts)
            end;
        {'DOWN', Monitor, process, Pid, Why} -> failed(Name, exit, Why, [], Counts)
    end.

failed(_, exit, Reason, _, raise) -> exit(Reason);
failed(_, Class, Reason, Stack, raise) -> erlang:raise(Class, Reason, Stack);
failed(Name, Class, Reason, _, {Passed, Failed}) ->
    io:format("~p: ~p:~p~n", [Name, Class, Reason]),
    {Passed, Failed + 1}.
