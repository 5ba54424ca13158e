%! run: killed_between_two_writes:test/0
%! verdict: assertion
%% Killed half way, a process leaves the two halves of its update apart.
-module(killed_between_two_writes).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    T = ets:new(accounts, [public]),
    ets:insert(T, [{a, 10}, {b, 0}]),
    {P, Ref} = spawn_monitor(fun() -> ets:insert(T, {a, 5}), ets:insert(T, {b, 5}) end),
    exit(P, kill),
    receive {'DOWN', Ref, process, P, _} -> ok end,
    [{a, A}] = ets:lookup(T, a),
    [{b, B}] = ets:lookup(T, b),
    ?assertEqual(10, A + B).
