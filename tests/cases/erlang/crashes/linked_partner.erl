%! run: linked_partner:test/0
%! crash: worker
%! verdict: abnormal_exit
%% The crash itself is no error; that a partner who does not trap exits dies with it is.
-module(linked_partner).
-export([test/0]).

test() ->
    Pid = spawn_link(fun() -> register(worker, self()), receive stop -> ok end end),
    Pid ! stop.
