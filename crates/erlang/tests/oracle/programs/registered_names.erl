%% register, whereis, send by name, unregister, and errors.
-module(registered_names).
-export([main/0]).

main() ->
    Self = self(),
    Pid = spawn(fun() -> receive {From, X} -> From ! {got, X} end, receive stop -> Self ! stopped end end),
    p(register(worker, Pid)),
    p(whereis(worker) =:= Pid),
    p(catch_error(fun() -> register(worker, Self) end)),
    p(catch_error(fun() -> register(other, Pid) end)),
    p(catch_error(fun() -> register(undefined, Self) end)),
    worker ! {self(), 42},
    receive M -> p(M) end,
    p(lists:member(worker, registered())),
    p(process_info(Pid, registered_name)),
    p(unregister(worker)),
    p(whereis(worker)),
    p(catch_error(fun() -> unregister(worker) end)),
    p(catch_error(fun() -> worker ! x end)),
    Pid ! stop,
    receive stopped -> p(stopped) end.

catch_error(F) -> try F() catch C:R -> {C, R} end.

p(X) -> io:format("~p~n", [X]).
