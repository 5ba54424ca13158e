%! run: trap_exit_of_a_child:test/0
%! verdict: assertion
%% The child may not have switched trapping on yet.
-module(trap_exit_of_a_child).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> process_flag(trap_exit, true), receive stop -> ok end end),
    {trap_exit, T} = process_info(P, trap_exit),
    P ! stop,
    ?assertEqual(true, T).
