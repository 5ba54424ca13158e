%% ---- What follows is the same in every test that foresee writes. ----
%% The modules under test are compiled again with a gate before each operation that other processes can notice. A process that
%% comes to a gate waits for its turn, if the schedule has one of that kind for it; a turn is over when no process can go on by
%% itself. Processes are told apart by who started them: [] is the first one, [2] its second child, [2, 1] that one's first.

%% How long nothing may move before the schedule is given up, or the run is taken to be over.
-define(QUIET_MS, 300).
%% How long the whole run may take.
-define(RUN_MS, 20000).

run() ->
    Modules = [load(File) || File <- sources()],
    Self = self(),
    {Runner, Monitor} = spawn_monitor(fun() -> Self ! {self(), control()} end),
    receive
        {Runner, Ended} ->
            demonitor(Monitor, [flush]),
            [begin code:purge(Module), code:delete(Module), code:purge(Module) end || Module <- Modules],
            Ended;
        {'DOWN', Monitor, process, Runner, Reason} -> erlang:error({foresee, Reason})
    end.

load(File) ->
    Options = [binary, return_errors, {parse_transform, ?MODULE} | compiler_options()],
    case compile:file(File, Options) of
        {ok, Module, Binary} ->
            code:purge(Module),
            {module, Module} = code:load_binary(Module, File, Binary),
            Module;
        Other -> erlang:error({foresee_cannot_compile, File, Other})
    end.

%% Starts the first process and leads it through the schedule.
control() ->
    register(?MODULE, self()),
    {Module, Function} = entry(),
    First = spawn(fun() -> receive go -> ok end, Module:Function() end),
    erlang:trace(First, true, [procs, set_on_spawn]),
    First ! go,
    Deadline = erlang:monotonic_time(millisecond) + ?RUN_MS,
    State = #{paths => #{First => []}, children => #{}, at => #{}, ended => [], left => schedule(), deadline => Deadline},
    Ended = lead(State, erlang:monotonic_time(millisecond)),
    [exit(Pid, kill) || Pid <- maps:keys(maps:get(paths, Ended))],
    result(Ended).

%% Gives turns while there are any.
lead(State0, Since) ->
    State = hear(State0),
    Now = erlang:monotonic_time(millisecond),
    case {settled(State), Now > maps:get(deadline, State)} of
        {_, true} -> State;
        {{false, Next}, false} -> erlang:yield(), lead(Next, Now);
        {{true, _}, false} ->
            case turn(State) of
                {Go, Pid, Next} -> Pid ! {?MODULE, Go}, lead(Next, Now);
                none ->
                    Alive = [Pid || Pid <- maps:keys(maps:get(paths, State)), is_process_alive(Pid)],
                    case Alive =:= [] orelse Now - Since > ?QUIET_MS of
                        true -> over(State);
                        false -> timer:sleep(1), lead(State, Since)
                    end
            end
    end.

%% Nobody comes to the next gate any more: whoever waits at one goes on freely.
over(#{left := [{Path, Kind, Step} | _], at := At} = State) when At =/= #{} ->
    io:format(user, "foresee: the schedule does not apply any more: step ~p, ~p of ~p~n", [Step, Kind, Path]),
    lead(State#{left := []}, erlang:monotonic_time(millisecond));
over(State) -> State.

%% The process whose turn it is: one that comes to something the schedule does not name, or the one that it names next. Who has
%% no more turns waits until all others have had theirs.
turn(#{at := At, paths := Paths, left := Left} = State) ->
    Free = [Pid || {Pid, Kind} <- maps:to_list(At), is_free(maps:get(Pid, Paths, none), Kind, Left)],
    case {lists:sort(Free), Left} of
        {[Pid | _], _} -> {go, Pid, State#{at := maps:remove(Pid, At)}};
        {[], [{Path, Kind, _} | Rest]} ->
            case [Pid || {Pid, K} <- maps:to_list(At), is_of(K, Kind), maps:get(Pid, Paths, none) =:= Path] of
                [Pid] when Kind =:= timeout -> {timeout, Pid, State#{at := maps:remove(Pid, At), left := Rest}};
                [Pid] -> {go, Pid, State#{at := maps:remove(Pid, At), left := Rest}};
                [] -> none
            end;
        {[], []} -> none
    end.

is_free(_, _, []) -> true;
is_free(Path, Kind, Left) ->
    case lists:keyfind(Path, 1, Left) of
        {Path, Named, _} -> not is_of(Kind, Named);
        false -> false
    end.

%% A receive may be one that gives up waiting.
is_of('receive', timeout) -> true;
is_of(Kind, Kind) -> true;
is_of(_, _) -> false.

%% Takes in what has happened.
hear(#{paths := Paths, children := Children, at := At, ended := Ended} = State) ->
    receive
        {trace, Parent, spawn, Child, _} ->
            N = maps:get(Parent, Children, 0) + 1,
            Path = maps:get(Parent, Paths, [unknown]) ++ [N],
            hear(State#{paths := Paths#{Child => Path}, children := Children#{Parent => N}});
        {trace, Pid, exit, Reason} -> hear(State#{ended := [{Pid, Reason} | Ended]});
        {trace, _, _, _} -> hear(State);
        {trace, _, _, _, _} -> hear(State);
        {?MODULE, Pid, Kind} -> hear(State#{at := At#{Pid => Kind}})
    after 0 -> State
    end.

%% Whether everybody waits (at a gate, for a message) or is gone, and all that has happened is known.
settled(#{paths := Paths} = State) ->
    case all_wait(Paths) of
        false -> {false, State};
        true ->
            Ref = erlang:trace_delivered(all),
            receive {trace_delivered, all, Ref} -> ok end,
            Next = hear(State),
            {Next =:= State andalso all_wait(Paths), Next}
    end.

all_wait(Paths) ->
    lists:all(fun(Pid) -> case process_info(Pid, status) of
                              undefined -> true;
                              {status, waiting} -> true;
                              {status, _} -> false
                          end end, maps:keys(Paths)).

result(#{paths := Paths, ended := Ended, left := Left}) ->
    Gone = [Pid || {Pid, _} <- Ended],
    #{failed => [{maps:get(Pid, Paths, unknown), Reason} || {Pid, Reason} <- Ended, not is_normal(Reason)],
      waiting => lists:sort([Path || {Pid, Path} <- maps:to_list(Paths), not lists:member(Pid, Gone)]),
      left => Left}.

is_normal(normal) -> true;
is_normal(shutdown) -> true;
is_normal({shutdown, _}) -> true;
is_normal(_) -> false.

%% Called before an operation of this kind.
gate(Kind) -> gate(Kind, ok).

%% Before a receive that may give up: how long it waits, which is no time at all if the schedule says that it gives up.
gate(Kind, Timeout) ->
    case whereis(?MODULE) of
        undefined -> Timeout;
        Control ->
            Control ! {?MODULE, self(), Kind},
            receive
                {?MODULE, go} -> Timeout;
                {?MODULE, timeout} -> 0
            end
    end.

%% Puts the gates in.
parse_transform(Forms, _Options) ->
    [case Form of
         {function, _, _, _, _} -> gates(Form);
         _ -> Form
     end || Form <- Forms].

gates({clause, A, Patterns, Guards, Body}) -> {clause, A, Patterns, Guards, gates(Body)};
gates({match, A, Pattern, Value}) -> {match, A, Pattern, gates(Value)};
gates({maybe_match, A, Pattern, Value}) -> {maybe_match, A, Pattern, gates(Value)};
gates({Generator, A, Pattern, Value})
  when Generator =:= generate; Generator =:= b_generate; Generator =:= m_generate ->
    {Generator, A, Pattern, gates(Value)};
gates({'receive', A, Clauses}) -> gated(A, 'receive', [], {'receive', A, gates(Clauses)});
gates({'receive', A, Clauses, Timeout, Body}) ->
    Gate = {call, A, {remote, A, {atom, A, ?MODULE}, {atom, A, gate}}, [{atom, A, 'receive'}, gates(Timeout)]},
    {'receive', A, gates(Clauses), Gate, gates(Body)};
gates({op, A, '!', To, Message}) ->
    {Bound, [T, M]} = bound(A, gates([To, Message])),
    gated(A, send, Bound, {op, A, '!', T, M});
gates({call, A, Function, Arguments}) ->
    Inner = gates(Arguments),
    case kind(Function, length(Arguments)) of
        none -> {call, A, gates(Function), Inner};
        Kind ->
            {Bound, Plain} = bound(A, Inner),
            gated(A, Kind, Bound, {call, A, Function, Plain})
    end;
gates(Tuple) when is_tuple(Tuple) -> list_to_tuple(gates(tuple_to_list(Tuple)));
gates([Head | Tail]) -> [gates(Head) | gates(Tail)];
gates(Other) -> Other.

gated(A, Kind, Bound, Expression) ->
    Gate = {call, A, {remote, A, {atom, A, ?MODULE}, {atom, A, gate}}, [{atom, A, Kind}]},
    {block, A, Bound ++ [Gate, Expression]}.

%% Arguments are computed before the gate, as they are in the run.
bound(A, Expressions) ->
    Pairs = [case is_plain(Expression) of
                 true -> {[], Expression};
                 false ->
                     Name = list_to_atom("Foresee@" ++ integer_to_list(erlang:unique_integer([positive]))),
                     {[{match, A, {var, A, Name}, Expression}], {var, A, Name}}
             end || Expression <- Expressions],
    {lists:append([Match || {Match, _} <- Pairs]), [Plain || {_, Plain} <- Pairs]}.

is_plain({Kind, _, _}) -> lists:member(Kind, [var, atom, integer, string, char, float]);
is_plain({nil, _}) -> true;
is_plain(_) -> false.

%% What the schedule calls an operation; none if others do not notice it.
kind({remote, _, {atom, _, erlang}, {atom, _, Function}}, Arity) -> builtin_kind(Function, Arity);
kind({remote, _, {atom, _, ets}, _}, _) -> ets;
kind({remote, _, {atom, _, Module}, {atom, _, Function}}, _) ->
    case lists:member(Module, [gen_server, gen_statem, gen_event, supervisor, proc_lib]) of
        true -> gen;
        false ->
            case lists:member(Module, [timer, global, persistent_term, counters, atomics]) of
                true -> Function;
                false -> none
            end
    end;
kind({atom, _, Function}, Arity) -> builtin_kind(Function, Arity);
kind(_, _) -> none.

builtin_kind(send, _) -> send;
builtin_kind(exit, 2) -> exit;
builtin_kind(Function, _) ->
    case lists:member(Function, [spawn, spawn_link, spawn_monitor, spawn_opt]) of
        true -> spawn;
        false ->
            case lists:member(Function, [register, unregister, whereis, registered, link, unlink, monitor, demonitor, process_flag,
                                         is_process_alive, processes, process_info, send_after, start_timer, cancel_timer,
                                         read_timer, alias, unalias, halt]) of
                true -> Function;
                false -> none
            end
    end.
