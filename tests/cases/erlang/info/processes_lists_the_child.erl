%! run: processes_lists_the_child:test/0
%! verdict: assertion
%% processes/0 shows the child only as long as it lives.
-module(processes_lists_the_child).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> ok end),
    ?assert(lists:member(P, processes())).
