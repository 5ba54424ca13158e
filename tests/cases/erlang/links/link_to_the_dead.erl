%! run: link_to_the_dead:test/0
%! verdict: abnormal_exit
%% The child may be gone before link/1, and a link to a dead process is an exit signal noproc.
-module(link_to_the_dead).
-export([test/0]).

test() ->
    P = spawn(fun() -> ok end),
    link(P),
    receive after 10 -> ok end.
