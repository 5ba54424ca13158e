%! run: alive_or_not:test/0
%! verdict: holds
%% Either answer is possible while the child may end.
-module(alive_or_not).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> ok end),
    ?assert(is_boolean(is_process_alive(P))).
