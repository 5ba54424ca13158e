%! run: dead_has_no_info:test/0
%! verdict: holds
%% After DOWN there is nothing to know.
-module(dead_has_no_info).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    {P, Ref} = spawn_monitor(fun() -> ok end),
    receive {'DOWN', Ref, process, P, normal} -> ok end,
    ?assertEqual(undefined, process_info(P, status)),
    ?assertEqual(undefined, process_info(P)).
