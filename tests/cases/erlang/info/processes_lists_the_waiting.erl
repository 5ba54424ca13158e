%! run: processes_lists_the_waiting:test/0
%! verdict: holds
%% A child that waits is in the list.
-module(processes_lists_the_waiting).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> receive stop -> ok end end),
    ?assert(lists:member(P, processes())),
    ?assert(lists:member(self(), processes())),
    P ! stop.
