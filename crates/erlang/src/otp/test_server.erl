%% What suites call of the server beneath Common Test.
-module(test_server).
-export([lookup_config/2, timetrap/1, timetrap_cancel/0, timetrap_cancel/1, seconds/1, minutes/1, hours/1,
         sleep/1, adjusted_sleep/1, format/1, format/2, format/3, fail/0, fail/1, break/1, do_times/2,
         do_times/4, call_crash/3, call_crash/4, m_out_of_n/3, timecall/3, os_type/0, is_native/1,
         capture_start/0, capture_stop/0, capture_get/0, messages_get/0, temp_name/1, app_test/1]).

lookup_config(Key, Config) ->
    case lists:keyfind(Key, 1, Config) of
        {Key, Value} -> Value;
        false -> undefined
    end.

timetrap(_) -> make_ref().
timetrap_cancel() -> ok.
timetrap_cancel(_) -> ok.
seconds(N) -> trunc(N * 1000 + 0.5).
minutes(N) -> trunc(N * 1000 * 60 + 0.5).
hours(N) -> trunc(N * 1000 * 60 * 60 + 0.5).
sleep(Time) -> timer:sleep(Time).
adjusted_sleep(Time) -> timer:sleep(Time).
format(Format) -> io:format(Format).
format(Format, Args) when is_list(Args), not is_integer(Format) -> io:format(Format, Args);
format(_, Format) -> io:format(Format).
format(_, Format, Args) -> io:format(Format, Args).
fail() -> exit(suite_failed).
fail(Reason) -> exit({suite_failed, Reason}).
break(_) -> erlang:'$not_modelled'(test_server, break, 1).
os_type() -> os:type().
is_native(_) -> false.
temp_name(_) -> erlang:'$not_modelled'(test_server, temp_name, 1).
app_test(_) -> erlang:'$not_modelled'(test_server, app_test, 1).
capture_start() -> erlang:'$not_modelled'(test_server, capture_start, 0).
capture_stop() -> erlang:'$not_modelled'(test_server, capture_stop, 0).
capture_get() -> erlang:'$not_modelled'(test_server, capture_get, 0).

messages_get() ->
    receive Message -> [Message | messages_get()]
    after 0 -> []
    end.

do_times(N, Fun) when N > 0 ->
    Fun(),
    do_times(N - 1, Fun);
do_times(_, _) -> ok.

do_times(N, Module, F, Args) when N > 0 ->
    apply(Module, F, Args),
    do_times(N - 1, Module, F, Args);
do_times(_, _, _, _) -> ok.

m_out_of_n(0, _, _) -> ok;
m_out_of_n(M, 0, _) -> exit({m_out_of_n_failed, {M, left_to_do}});
m_out_of_n(M, N, Fun) ->
    case catch Fun() of
        {'EXIT', _} -> m_out_of_n(M, N - 1, Fun);
        _ -> m_out_of_n(M - 1, N - 1, Fun)
    end.

call_crash(Module, F, Args) -> crash(any, Module, F, Args).
call_crash(Reason, Module, F, Args) -> crash(Reason, Module, F, Args).

crash(Wanted, Module, F, Args) ->
    {Pid, Monitor} = spawn_monitor(Module, F, Args),
    receive
        {'DOWN', Monitor, process, Pid, normal} -> exit(call_not_crashed);
        {'DOWN', Monitor, process, Pid, {Wanted, _}} -> ok;
        {'DOWN', Monitor, process, Pid, Wanted} -> ok;
        {'DOWN', Monitor, process, Pid, _} when Wanted =:= any -> ok;
        {'DOWN', Monitor, process, Pid, Other} -> exit({wrong_crash_reason, Other})
    end.

timecall(Module, F, Args) ->
    {Micros, Value} = timer:tc(Module, F, Args),
    {Micros / 1000000, Value}.
