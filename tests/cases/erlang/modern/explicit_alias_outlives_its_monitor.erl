%! run: explicit_alias_outlives_its_monitor:test/0
%! verdict: holds
%% An alias that is taken back explicitly is there whatever has become of the process that is watched.
-module(explicit_alias_outlives_its_monitor).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive go -> ok end end),
    A = monitor(process, P, [{alias, explicit_unalias}]),
    P ! go,
    true = unalias(A).
