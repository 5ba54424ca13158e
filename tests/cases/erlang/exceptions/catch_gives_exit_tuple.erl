%! run: catch_gives_exit_tuple:test/0
%! verdict: holds
%% catch turns an exit into a tuple and a throw into its value.
-module(catch_gives_exit_tuple).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! {a, catch exit(bye)} end),
    spawn(fun() -> Self ! {b, catch throw(ball)} end),
    spawn(fun() -> Self ! {c, catch error(bad)} end),
    receive {a, A} -> ?assertEqual({'EXIT', bye}, A) end,
    receive {b, B} -> ?assertEqual(ball, B) end,
    receive {c, {'EXIT', {bad, Stack}}} -> ?assert(is_list(Stack)) end.
