%% The first process of a program that is a supervision tree.
-module(foresee_supervision).
-export([start/2]).

start(Module, Function) ->
    case Module:Function() of
        {ok, Pid} when is_pid(Pid) -> wait();
        {ok, Pid, _} when is_pid(Pid) -> wait();
        Other ->
            gen:foresee_not_started(Module, Function, Other),
            exit({not_started, Other})
    end.

wait() -> receive after infinity -> ok end.
