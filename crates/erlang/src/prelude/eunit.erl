%% Runs the tests of modules: functions whose names end in _test, and what generators ending in
%% _test_ give.
%% Here tests run one after another in the calling process unless a test asks for a process of its
%% own; timeouts are not enforced, since time is virtual. A failing test prints its name and
%% reason; the result is ok or error.
-module(eunit).

-export([test/1, test/2, start/0, stop/0]).

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

report(1, 0, _) -> io:format("  Test passed.~n");
report(Passed, 0, _) -> io:format("  All ~w tests passed.~n", [Passed]);
report(Passed, Failed, _) -> io:format("  Failed: ~w.  Passed: ~w.~n", [Failed, Passed]).

%% A test or a set of tests, the name of what it belongs to, and counts so far.
run(Module, top, Counts) when is_atom(Module) -> run_module(Module, Counts);
run({module, Module}, _, Counts) -> run_module(Module, Counts);
run({generator, F}, Name, Counts) -> run_generator(F, Name, Counts);
run({generator, Module, F}, _, Counts) -> run_generator(fun Module:F/0, {Module, F}, Counts);
run({setup, Setup, Tests}, Name, Counts) -> run_setup(Setup, fun(_) -> ok end, Tests, Name, Counts);
run({setup, Where, Setup, Tests}, Name, Counts) when is_atom(Where) ->
    run_setup(Setup, fun(_) -> ok end, Tests, Name, Counts);
run({setup, Setup, Cleanup, Tests}, Name, Counts) -> run_setup(Setup, Cleanup, Tests, Name, Counts);
run({setup, _, Setup, Cleanup, Tests}, Name, Counts) ->
    run_setup(Setup, Cleanup, Tests, Name, Counts);
run({foreach, Setup, Tests}, Name, Counts) ->
    run_each(Setup, fun(_) -> ok end, Tests, Name, Counts);
run({foreach, Setup, Cleanup, Tests}, Name, Counts) ->
    run_each(Setup, Cleanup, Tests, Name, Counts);
run({foreach, _, Setup, Cleanup, Tests}, Name, Counts) ->
    run_each(Setup, Cleanup, Tests, Name, Counts);
run({with, Value, Tests}, Name, Counts) ->
    run([fun() -> F(Value) end || F <- Tests], Name, Counts);
run({timeout, _, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({inorder, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({inparallel, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({inparallel, _, Tests}, Name, Counts) -> run(Tests, Name, Counts);
run({spawn, Tests}, Name, Counts) -> run_apart(Tests, Name, Counts);
run({application, _}, _, Counts) -> Counts;
run({Line, F}, Name, Counts) when is_integer(Line), is_function(F, 0) ->
    run_one(F, {Name, Line}, Counts);
run({Line, Tests}, Name, Counts) when is_integer(Line) -> run(Tests, {Name, Line}, Counts);
run({Module, F}, _, Counts) when is_atom(Module), is_atom(F) ->
    run_one(fun Module:F/0, {Module, F}, Counts);
run({test, Module, F}, _, Counts) -> run_one(fun Module:F/0, {Module, F}, Counts);
run({Title, Tests}, _, Counts) when is_list(Title); is_binary(Title) -> run(Tests, Title, Counts);
run(F, Name, Counts) when is_function(F, 0) -> run_one(F, Name, Counts);
run(Tests, Name, Counts) when is_list(Tests) ->
    lists:foldl(fun(Test, C) -> run(Test, Name, C) end, Counts, Tests).

run_module(Module, Counts) ->
    Functions = [F || {F, 0} <- Module:module_info(exports)],
    lists:foldl(fun(F, C) -> run_function(Module, F, C) end, Counts, Functions).

run_function(Module, F, Counts) ->
    Name = lists:reverse(atom_to_list(F)),
    case {lists:prefix("tset_", Name), lists:prefix("_tset_", Name)} of
        {true, _} -> run_one(fun Module:F/0, {Module, F}, Counts);
        {_, true} -> run_generator(fun Module:F/0, {Module, F}, Counts);
        _ -> Counts
    end.

run_generator(F, Name, {Passed, Failed} = Counts) ->
    try F() of
        Tests -> run(Tests, Name, Counts)
    catch
        Class:Reason -> failed(Name, Class, Reason, {Passed, Failed})
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
        Class:Reason -> failed(Name, Class, Reason, Counts)
    end.

run_each(Setup, Cleanup, Tests, Name, Counts) ->
    lists:foldl(fun(Test, C) -> run_setup(Setup, Cleanup, Test, Name, C) end, Counts, Tests).

instantiate(F, Value) when is_function(F, 1) -> F(Value);
instantiate({with, Tests}, Value) -> {with, Value, Tests};
instantiate(Tests, _) -> Tests.

run_apart(Tests, Name, Counts) ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({counts, run(Tests, Name, Counts)}) end),
    receive
        {'DOWN', Monitor, process, Pid, {counts, New}} -> New;
        {'DOWN', Monitor, process, Pid, Reason} -> failed(Name, exit, Reason, Counts)
    end.

run_one(F, Name, {Passed, Failed} = Counts) ->
    try F() of
        _ -> {Passed + 1, Failed}
    catch
        Class:Reason -> failed(Name, Class, Reason, Counts)
    end.

failed(Name, Class, Reason, {Passed, Failed}) ->
    io:format("~p: ~p:~p~n", [Name, Class, Reason]),
    {Passed, Failed + 1}.
