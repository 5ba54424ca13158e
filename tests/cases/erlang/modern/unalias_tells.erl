%! run: unalias_tells:test/0
%! verdict: holds
%% unalias says whether the alias was still active.
-module(unalias_tells).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    A = alias([reply]),
    A ! first,
    receive first -> ok end,
    ?assertEqual(false, unalias(A)),
    B = alias(),
    ?assertEqual(true, unalias(B)),
    ?assertEqual(false, unalias(B)).
