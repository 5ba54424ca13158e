%% Timers by the names of module timer. A timer is {Kind, Reference}, as in Erlang.
-module(timer).
-export([sleep/1, send_after/2, send_after/3, send_interval/2, send_interval/3, apply_after/4,
         apply_interval/4,
         exit_after/2, exit_after/3, kill_after/1, kill_after/2, cancel/1, tc/1, tc/2, tc/3,
         seconds/1, minutes/1, hours/1, hms/3, now_diff/2, start/0]).

start() -> ok.

sleep(Time) ->
    receive
    after Time -> ok
    end.

send_after(Time, Message) -> send_after(Time, self(), Message).

send_after(Time, To, Message) ->
    {ok, {send_local, timer:foresee_set(Time, {To, Message}, false)}}.

send_interval(Time, Message) -> send_interval(Time, self(), Message).

send_interval(Time, To, Message) ->
    {ok, {interval, timer:foresee_set(Time, {To, Message}, true)}}.

%% The call happens in a process of its own, which sleeps first.
apply_after(Time, Module, Function, Args) ->
    Pid = spawn(fun() -> sleep(Time), apply(Module, Function, Args) end),
    {ok, {once, Pid}}.

%% A process of its own for each call, as often as the time has passed.
apply_interval(Time, Module, Function, Args) ->
    {ok, {once, spawn(fun() -> repeat(Time, Module, Function, Args) end)}}.

repeat(Time, Module, Function, Args) ->
    sleep(Time),
    spawn(Module, Function, Args),
    repeat(Time, Module, Function, Args).

exit_after(Time, Reason) -> exit_after(Time, self(), Reason).

exit_after(Time, Pid, Reason) -> apply_after(Time, erlang, exit, [Pid, Reason]).

kill_after(Time) -> exit_after(Time, self(), kill).

kill_after(Time, Pid) -> exit_after(Time, Pid, kill).

cancel({once, Pid}) -> exit(Pid, kill), {ok, cancel};
cancel({_, Reference}) -> timer:foresee_cancel(Reference), {ok, cancel};
cancel(_) -> {error, badarg}.

tc(F) ->
    T1 = erlang:monotonic_time(microsecond),
    Value = F(),
    {erlang:monotonic_time(microsecond) - T1, Value}.

tc(F, Args) -> tc(fun() -> apply(F, Args) end).

tc(Module, Function, Args) -> tc(fun() -> apply(Module, Function, Args) end).

seconds(Seconds) -> 1000 * Seconds.
minutes(Minutes) -> 1000 * 60 * Minutes.
hours(Hours) -> 1000 * 60 * 60 * Hours.
hms(Hours, Minutes, Seconds) -> hours(Hours) + minutes(Minutes) + seconds(Seconds).

now_diff({A2, B2, C2}, {A1, B1, C1}) ->
    ((A2 - A1) * 1000000 + B2 - B1) * 1000000 + C2 - C1.
