%% Timers by the names of module timer. A timer is {Kind, Reference}, as in Erlang.
-module(timer).
-export([sleep/1, send_after/2, send_after/3, send_interval/2, send_interval/3, apply_after/2, apply_after/3,
         apply_after/4, apply_interval/2, apply_interval/3, apply_interval/4, apply_repeatedly/2,
         apply_repeatedly/3, apply_repeatedly/4, exit_after/2, exit_after/3, kill_after/1, kill_after/2, cancel/1,
         tc/1, tc/2, tc/3, tc/4, seconds/1, minutes/1, hours/1, hms/3, now_diff/2, start/0]).

-define(IS_TIME(T), is_integer(T), T >= 0).

start() -> ok.

sleep(Time) ->
    receive
    after Time -> ok
    end.

send_after(Time, Message) -> send_after(Time, self(), Message).

send_after(Time, To, Message) when ?IS_TIME(Time) ->
    case receiver(To) of
        {ok, Who} -> {ok, {send_local, timer:foresee_set(Time, {Who, Message}, false)}};
        error -> {error, badarg}
    end;
send_after(_, _, _) -> {error, badarg}.

send_interval(Time, Message) -> send_interval(Time, self(), Message).

send_interval(Time, To, Message) when ?IS_TIME(Time) ->
    case receiver(To) of
        {ok, Who} -> {ok, {interval, timer:foresee_set(Time, {Who, Message}, true)}};
        error -> {error, badarg}
    end;
send_interval(_, _, _) -> {error, badarg}.

receiver(To) when is_pid(To); is_atom(To) -> {ok, To};
receiver({Name, Node}) when is_atom(Name), Node =:= node() -> {ok, Name};
receiver(_) -> error.

%% The call happens in a process of its own, which sleeps first.
apply_after(Time, Fun) -> apply_after(Time, Fun, []).
apply_after(Time, Fun, Args) when is_function(Fun), is_list(Args) -> apply_after(Time, erlang, apply, [Fun, Args]);
apply_after(_, _, _) -> {error, badarg}.
apply_after(Time, Module, Function, Args)
  when ?IS_TIME(Time), is_atom(Module), is_atom(Function), is_list(Args) ->
    {ok, {once, spawn(fun() -> sleep(Time), apply(Module, Function, Args) end)}};
apply_after(_, _, _, _) -> {error, badarg}.

%% A process of its own for each call, as often as the time has passed.
apply_interval(Time, Fun) -> apply_interval(Time, Fun, []).
apply_interval(Time, Fun, Args) when is_function(Fun), is_list(Args) ->
    apply_interval(Time, erlang, apply, [Fun, Args]);
apply_interval(_, _, _) -> {error, badarg}.
apply_interval(Time, Module, Function, Args)
  when ?IS_TIME(Time), is_atom(Module), is_atom(Function), is_list(Args) ->
    {ok, {once, spawn(fun() -> repeat(Time, Module, Function, Args) end)}};
apply_interval(_, _, _, _) -> {error, badarg}.

repeat(Time, Module, Function, Args) ->
    sleep(Time),
    spawn(Module, Function, Args),
    repeat(Time, Module, Function, Args).

%% As apply_interval, but a call starts only when the one before has ended.
apply_repeatedly(Time, Fun) -> apply_repeatedly(Time, Fun, []).
apply_repeatedly(Time, Fun, Args) when is_function(Fun), is_list(Args) ->
    apply_repeatedly(Time, erlang, apply, [Fun, Args]);
apply_repeatedly(_, _, _) -> {error, badarg}.
apply_repeatedly(Time, Module, Function, Args)
  when ?IS_TIME(Time), is_atom(Module), is_atom(Function), is_list(Args) ->
    {ok, {once, spawn(fun() -> one_by_one(Time, Module, Function, Args) end)}};
apply_repeatedly(_, _, _, _) -> {error, badarg}.

one_by_one(Time, Module, Function, Args) ->
    sleep(Time),
    {_, Ref} = spawn_monitor(Module, Function, Args),
    receive {'DOWN', Ref, process, _, _} -> one_by_one(Time, Module, Function, Args) end.

exit_after(Time, Reason) -> exit_after(Time, self(), Reason).

exit_after(Time, Pid, Reason) -> apply_after(Time, erlang, exit, [Pid, Reason]).

kill_after(Time) -> exit_after(Time, self(), kill).

kill_after(Time, Pid) -> exit_after(Time, Pid, kill).

cancel({once, Pid}) when is_pid(Pid) -> exit(Pid, kill), {ok, cancel};
cancel({Kind, Reference}) when (Kind =:= send_local orelse Kind =:= interval), is_reference(Reference) ->
    timer:foresee_cancel(Reference),
    {ok, cancel};
cancel(_) -> {error, badarg}.

tc(F) -> timed(fun() -> F() end, microsecond).

tc(F, Args) when is_list(Args) -> timed(fun() -> apply(F, Args) end, microsecond);
tc(F, Unit) -> timed(F, Unit).

tc(Module, Function, Args) when is_atom(Module) -> timed(fun() -> apply(Module, Function, Args) end, microsecond);
tc(F, Args, Unit) -> timed(fun() -> apply(F, Args) end, Unit).

tc(Module, Function, Args, Unit) -> timed(fun() -> apply(Module, Function, Args) end, Unit).

%% What is measured in microseconds is read in microseconds, in which the clock moves with each read: nothing takes no time.
timed(F, microsecond) ->
    T1 = erlang:monotonic_time(microsecond),
    Value = F(),
    {erlang:monotonic_time(microsecond) - T1, Value};
timed(F, Unit) ->
    T1 = erlang:monotonic_time(),
    Value = F(),
    {erlang:convert_time_unit(erlang:monotonic_time() - T1, native, Unit), Value}.

seconds(Seconds) -> 1000 * Seconds.
minutes(Minutes) -> 1000 * 60 * Minutes.
hours(Hours) -> 1000 * 60 * 60 * Hours.
hms(Hours, Minutes, Seconds) -> hours(Hours) + minutes(Minutes) + seconds(Seconds).

now_diff({A2, B2, C2}, {A1, B1, C1}) ->
    ((A2 - A1) * 1000000 + B2 - B1) * 1000000 + C2 - C1.
