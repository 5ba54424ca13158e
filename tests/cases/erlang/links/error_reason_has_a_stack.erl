%! run: error_reason_has_a_stack:test/0
%! verdict: assertion
%% error(crash) exits with {crash, Stack}, not with the bare reason.
-module(error_reason_has_a_stack).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, crash}]).

test() ->
    process_flag(trap_exit, true),
    P = spawn_link(fun() -> error(crash) end),
    receive {'EXIT', P, R} -> ?assertEqual(crash, R) end.
