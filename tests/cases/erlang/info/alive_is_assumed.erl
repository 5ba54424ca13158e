%! run: alive_is_assumed:test/0
%! verdict: assertion
%% A child that has just been spawned may be gone already.
-module(alive_is_assumed).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    P = spawn(fun() -> ok end),
    ?assertEqual(true, is_process_alive(P)).
