%! run: processes_lists_the_dying:test/0
%! verdict: assertion
%% A process that was killed is not alive, but in the list until it has put in order what it leaves behind.
-module(processes_lists_the_dying).
-export([test/0]).
-foresee_options([{treat_as_normal, killed}]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> receive never -> ok end end),
    exit(P, kill),
    ?assertNot(is_process_alive(P)),
    ?assertNot(lists:member(P, processes())).
