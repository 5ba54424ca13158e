%! run: name_is_free:test/0
%! crash: worker
%! verdict: holds
%% When the end of a process is seen, its name is free.
-module(name_is_free).
-export([test/0]).

test() ->
    {_, Ref} = spawn_monitor(fun() -> register(worker, self()), receive stop -> ok after 10 -> ok end end),
    receive {'DOWN', Ref, process, _, _} -> undefined = whereis(worker) end.
