%% Runs the tests of modules: functions whose names end in _test, and what generators ending in
%% _test_ give.
%% As in OTP, each test runs in a process of its own, one after another, and a module's tests include
%% those of the module of the same name with _tests at the end. Timeouts are not enforced, since time
%% is virtual; tests that ask to run in parallel run one after another. A failing test prints its
%% name and reason; the result is ok or error.
%% A leaf of a generator has a path: the positions, from 1, in the lists that lead to it. What is
%% around it (a setup, a title, a timeout) has no position. So one leaf can be run alone, with the
%% setups and cleanups around it.
-module(eunit).

-export([test/1, test/2, start/0, stop/0, foresee_generator/2, foresee_leaves/2, foresee_leaf/3]).

-spec start() -> ok.
start() -> ok.

-spec stop() -> ok.
stop() -> ok.

-spec test(term()) -> ok | error.
test(Tests) -> test(Tests, []).

-spec test(term(), [term()]) -> ok | error.
test(Tests, Options) ->
    {Passed, Failed} = run(Tests, top, [], {0, 0}),
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
    run_generator(fun Module:F/0, {Module, F}, [], raise),
    ok.

%% The leaves of a generator, each with its path and its title; the reason of the exit is the answer.
foresee_leaves(Module, F) ->
    {leaves, Leaves} = run_generator(fun Module:F/0, {Module, F}, [], {leaves, []}),
    exit({foresee_leaves, lists:reverse(Leaves)}).

%% One leaf of a generator, with the setups and cleanups around it. What a setup has made is shared by
%% the tests in it, so those before the leaf are run first, whatever becomes of them.
foresee_leaf(Module, F, Path) ->
    case run_generator(fun Module:F/0, {Module, F}, [], {only, Path, outside}) of
        {only, Path, done} -> ok;
        {only, Path, _} -> exit({no_such_test, Module, F, Path})
    end.

%% A test or a set of tests, the name of what it belongs to, where it is (the positions, the last
%% first), and what to do: counts so far; or failures are to be raised; or leaves are to be listed;
%% or only the leaf with a path is to be run, or it comes before that leaf and its outcome is nobody's.
run(Module, top, At, Do) when is_atom(Module) -> run_module(Module, At, Do);
run({module, Module}, _, At, Do) when is_atom(Module) -> run_module(Module, At, Do);
run(Module, _, At, Do) when is_atom(Module) -> run_module(Module, At, Do);
run({generator, F}, Name, At, Do) when is_function(F, 0) -> run_generator(F, Name, At, Do);
run({generator, Module, F}, _, At, Do) when is_atom(Module), is_atom(F) ->
    run_generator(fun Module:F/0, {Module, F}, At, Do);
run({setup, Setup, Tests}, Name, At, Do) -> run_setup(Setup, fun(_) -> ok end, Tests, Name, At, Do);
run({setup, Where, Setup, Tests}, Name, At, Do) when Where =:= local; Where =:= spawn ->
    run_setup(Setup, fun(_) -> ok end, Tests, Name, At, Do);
run({setup, {spawn, Node}, Setup, Tests}, Name, At, Do) ->
    on_node(Node, run({setup, Setup, Tests}, Name, At, Do));
run({setup, Setup, Cleanup, Tests}, Name, At, Do) -> run_setup(Setup, Cleanup, Tests, Name, At, Do);
run({setup, Where, Setup, Cleanup, Tests}, Name, At, Do) when Where =:= local; Where =:= spawn ->
    run_setup(Setup, Cleanup, Tests, Name, At, Do);
run({setup, {spawn, Node}, Setup, Cleanup, Tests}, Name, At, Do) ->
    on_node(Node, run({setup, Setup, Cleanup, Tests}, Name, At, Do));
run({foreach, Setup, Tests}, Name, At, Do) ->
    run_each(Setup, fun(_) -> ok end, Tests, Name, At, Do);
run({foreach, Where, Setup, Tests}, Name, At, Do) when is_atom(Where) ->
    run_each(Setup, fun(_) -> ok end, Tests, Name, At, Do);
run({foreach, Setup, Cleanup, Tests}, Name, At, Do) ->
    run_each(Setup, Cleanup, Tests, Name, At, Do);
run({foreach, _, Setup, Cleanup, Tests}, Name, At, Do) ->
    run_each(Setup, Cleanup, Tests, Name, At, Do);
run({foreachx, SetupX, Pairs}, Name, At, Do) ->
    run_each_x(SetupX, fun(_, _) -> ok end, Pairs, Name, At, Do);
run({foreachx, Where, SetupX, Pairs}, Name, At, Do) when is_atom(Where) ->
    run_each_x(SetupX, fun(_, _) -> ok end, Pairs, Name, At, Do);
run({foreachx, SetupX, CleanupX, Pairs}, Name, At, Do) ->
    run_each_x(SetupX, CleanupX, Pairs, Name, At, Do);
run({foreachx, _, SetupX, CleanupX, Pairs}, Name, At, Do) ->
    run_each_x(SetupX, CleanupX, Pairs, Name, At, Do);
run({with, Value, Tests}, Name, At, Do) when is_list(Tests) ->
    run([with(F, Value) || F <- Tests], Name, At, Do);
run({timeout, _, Tests}, Name, At, Do) -> run(Tests, Name, At, Do);
run({inorder, Tests}, Name, At, Do) -> run(Tests, Name, At, Do);
run({inparallel, Tests}, Name, At, Do) -> run(Tests, Name, At, Do);
run({inparallel, _, Tests}, Name, At, Do) -> run(Tests, Name, At, Do);
run({spawn, Tests}, Name, At, Do) -> run(Tests, Name, At, Do);
run({spawn, Node, Tests}, Name, At, Do) -> on_node(Node, run(Tests, Name, At, Do));
run({node, _, _}, _, _, _) -> erlang:'$not_modelled'(eunit, node, 2);
run({node, _, _, _}, _, _, _) -> erlang:'$not_modelled'(eunit, node, 3);
run({application, Application}, _, At, Do) when is_atom(Application) ->
    run([{module, Module} || Module <- modules_of(Application)], Application, At, Do);
run({dir, _}, _, _, _) -> erlang:'$not_modelled'(eunit, dir, 1);
run({file, _}, _, _, _) -> erlang:'$not_modelled'(eunit, file, 1);
run({Line, F}, Name, At, Do) when is_integer(Line), is_function(F, 0) ->
    run_one(F, {Name, Line}, At, Do);
run({Line, Tests}, Name, At, Do) when is_integer(Line) -> run(Tests, {Name, Line}, At, Do);
run({{Module, F, Arity}, Tests}, _, At, Do) when is_atom(Module), is_atom(F), is_integer(Arity) ->
    run(Tests, {Module, F}, At, Do);
run({Module, F}, _, At, Do) when is_atom(Module), is_atom(F) ->
    run_one(fun Module:F/0, {Module, F}, At, Do);
run({test, Module, F}, _, At, Do) when is_atom(Module), is_atom(F) ->
    run_one(fun Module:F/0, {Module, F}, At, Do);
run({Title, Tests}, _, At, Do) when is_list(Title); is_binary(Title) -> run(Tests, Title, At, Do);
run(F, Name, At, Do) when is_function(F, 0) -> run_one(F, Name, At, Do);
run([Character | _] = Title, _, At, Do) when is_integer(Character) -> bad_test(Title, At, Do);
run(Tests, Name, At, Do) when is_list(Tests) -> run_list(Tests, 1, Name, At, Do);
run(Other, _, At, Do) -> bad_test(Other, At, Do).

run_list([], _, _, _, Do) -> Do;
run_list([Test | Tests], N, Name, At, Do) ->
    case {leads(At, N, Do), Do} of
        {true, _} -> run_list(Tests, N + 1, Name, At, run(Test, Name, [N | At], Do));
        {false, {only, _, inside}} ->
            run(Test, Name, [N | At], before),
            run_list(Tests, N + 1, Name, At, Do);
        {false, _} -> run_list(Tests, N + 1, Name, At, Do)
    end;
run_list(Other, _, _, At, Do) -> bad_test(Other, At, Do).

%% Whether the leaf that is wanted is at this position of a list, if only one is.
leads(At, N, {only, Path, _}) -> lists:prefix(lists:reverse([N | At]), Path);
leads(_, _, _) -> true.

with(F, Value) when is_function(F, 1) -> fun() -> F(Value) end;
with({Module, F}, Value) -> fun() -> Module:F(Value) end.

%% There is one node only.
on_node(Node, _) when Node =/= 'nonode@nohost' -> erlang:'$not_modelled'(eunit, node, 1);
on_node(_, Done) -> Done.

modules_of(Application) ->
    case application:get_key(Application, modules) of
        {ok, Modules} -> Modules;
        undefined -> []
    end.

bad_test(Term, At, Do) -> failed({bad_test, Term}, error, {bad_test, Term}, [], At, Do).

run_module(Module, At, Do) ->
    Own = tests_of(Module),
    Name = atom_to_list(Module),
    Others =
        case lists:suffix("_tests", Name) of
            true -> [];
            false -> tests_of(list_to_atom(Name ++ "_tests"))
        end,
    run_list(Own ++ Others, 1, Module, At, Do).

tests_of(Module) ->
    Exports =
        try Module:module_info(exports)
        catch error:undef -> []
        end,
    lists:append([test_of(Module, F, atom_to_list(F)) || {F, 0} <- lists:sort(Exports)]).

test_of(Module, F, Name) ->
    case {lists:suffix("_test", Name), lists:suffix("_test_", Name)} of
        {true, _} -> [{test, Module, F}];
        {_, true} -> [{generator, Module, F}];
        _ -> []
    end.

run_generator(F, Name, At, Do) ->
    try F() of
        Tests -> run(Tests, Name, At, Do)
    catch
        Class:Reason:Stack -> failed(Name, Class, Reason, Stack, At, Do)
    end.

run_setup(Setup, Cleanup, Tests, Name, At, {only, Path, outside}) ->
    run_setup(Setup, Cleanup, Tests, Name, At, {only, Path, inside});
run_setup(Setup, Cleanup, Tests, Name, At, Do) ->
    try Setup() of
        Value ->
            try run(instantiate(Tests, Value), Name, At, Do) of
                Done ->
                    Cleanup(Value),
                    settle(Done),
                    Done
            catch
                %% What the tests are about comes before what the cleanup says.
                Wrong:Why:Trace ->
                    _ = (catch Cleanup(Value)),
                    erlang:raise(Wrong, Why, Trace)
            end
    catch
        Class:Reason:Stack -> failed(Name, Class, Reason, Stack, At, Do)
    end.

%% Tests are only listed: whatever ends because of a cleanup has ended before the next setup.
settle({leaves, _}) -> receive after 1 -> ok end;
settle(_) -> ok.

run_each(Setup, Cleanup, Tests, Name, At, Do) ->
    run_list([{setup, Setup, Cleanup, Test} || Test <- Tests], 1, Name, At, Do).

run_each_x(SetupX, CleanupX, Pairs, Name, At, Do) ->
    One = fun({X, F}) ->
        Instantiated = fun(Value) -> F(X, Value) end,
        {setup, fun() -> SetupX(X) end, fun(V) -> CleanupX(X, V) end, Instantiated}
    end,
    run_list(lists:map(One, Pairs), 1, Name, At, Do).

instantiate(F, Value) when is_function(F, 1) -> F(Value);
instantiate({with, Tests}, Value) -> {with, Value, Tests};
instantiate(Tests, _) -> Tests.

run_one(_, Name, At, {leaves, Leaves}) ->
    {leaves, [{lists:reverse(At), title(Name)} | Leaves]};
%% A failure that is to be raised ends the test's process; others are told to this one.
run_one(F, _, At, {only, Path, _} = Do) ->
    case lists:reverse(At) of
        Path ->
            {Pid, Monitor} = spawn_monitor(F),
            receive
                {'DOWN', Monitor, process, Pid, normal} -> {only, Path, done};
                {'DOWN', Monitor, process, Pid, Reason} -> exit(Reason)
            end;
        _ -> Do
    end;
%% Such a test ends where it comes to something that has no model, instead of ending the run.
run_one(F, _, _, before) ->
    {Pid, Monitor} = spawn_monitor(fun() -> put('$foresee_before', true), F() end),
    receive {'DOWN', Monitor, process, Pid, _} -> before end;
run_one(F, Name, At, raise) ->
    {Pid, Monitor} = spawn_monitor(F),
    receive
        {'DOWN', Monitor, process, Pid, normal} -> raise;
        {'DOWN', Monitor, process, Pid, Reason} -> failed(Name, exit, Reason, [], At, raise)
    end;
run_one(F, Name, At, {Passed, _} = Counts) ->
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
                {Class, Reason, Stack} -> failed(Name, Class, Reason, Stack, At, Counts)
            end;
        {'DOWN', Monitor, process, Pid, Why} -> failed(Name, exit, Why, [], At, Counts)
    end.

title({Name, Line}) when is_integer(Line) -> title(Name);
title(Name) when is_list(Name); is_binary(Name) ->
    try unicode:characters_to_list(Name)
    catch error:_ -> ""
    end;
title(_) -> "".

failed(_, _, _, _, _, before) -> before;
failed(_, Class, Reason, _, At, {leaves, Leaves}) ->
    {leaves, [{lists:reverse(At), {failed, Class, Reason}} | Leaves]};
failed(_, exit, Reason, _, _, {only, _, _}) -> exit(Reason);
failed(_, Class, Reason, Stack, _, {only, _, _}) -> erlang:raise(Class, Reason, Stack);
failed(_, exit, Reason, _, _, raise) -> exit(Reason);
failed(_, Class, Reason, Stack, _, raise) -> erlang:raise(Class, Reason, Stack);
failed(Name, Class, Reason, _, _, {Passed, Failed}) ->
    io:format("~p: ~p:~p~n", [Name, Class, Reason]),
    {Passed, Failed + 1}.
