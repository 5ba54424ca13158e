%% The first process of a program that is a supervision tree, or a parse transform.
-module(foresee_supervision).
-export([hibernate/3, start/2, transform/3]).

start(Module, Function) ->
    case Module:Function() of
        {ok, Pid} when is_pid(Pid) -> wait();
        {ok, Pid, _} when is_pid(Pid) -> wait();
        Other ->
            gen:foresee_not_started(Module, Function, Other),
            exit({not_started, Other})
    end.

wait() -> receive after infinity -> ok end.

%% Where a process rests that hibernates: any message wakes it, and is left in the mailbox (perform.rs).
hibernate(M, F, A) ->
    receive _ -> apply(M, F, A) end.

%% What a parse transform makes of forms; the reason of the exit is the answer.
transform(Module, Forms, Options) -> exit({foresee_forms, Module:parse_transform(Forms, Options)}).
