%! run: reason_may_be_noproc:test/0
%! verdict: assertion
%% Linking late, the reason of a child that has already ended is lost: it is noproc.
-module(reason_may_be_noproc).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    process_flag(trap_exit, true),
    P = spawn(fun() -> ok end),
    link(P),
    receive {'EXIT', P, R} -> ?assertEqual(normal, R) end.
