%! run: link_to_the_dying:test/0
%! verdict: abnormal_exit
%% If the other ends first the link raises noproc; if not, its end is normal and has no effect.
-module(link_to_the_dying).
-export([test/0]).
test() ->
    P = spawn(fun() -> ok end),
    try link(P) catch error:noproc -> exit(too_late) end.
