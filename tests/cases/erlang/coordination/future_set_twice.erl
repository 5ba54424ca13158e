%! run: future_set_twice:test/0
%! verdict: assertion
%% Two setters of one future: the first wins, and who is first is open.
-module(future_set_twice).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    F = spawn(fun() -> receive {value, V} -> receive {read, P} -> P ! {is, V} end end end),
    [spawn(fun() -> F ! {value, N} end) || N <- [1, 2]],
    F ! {read, self()},
    receive {is, V} -> ?assertEqual(1, V) end.
