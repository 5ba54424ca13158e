%! run: killed_around_one_write:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 29, transitions = 30, depth = 12
%! stateless(optimal): holds, interleavings = 3
%% Both halves in one insert: a kill comes before or after, never between.
-module(killed_around_one_write).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, killed}]).

test() ->
    T = ets:new(accounts, [public]),
    ets:insert(T, [{a, 10}, {b, 0}]),
    {P, Ref} = spawn_monitor(fun() -> ets:insert(T, [{a, 5}, {b, 5}]) end),
    exit(P, kill),
    receive {'DOWN', Ref, process, P, _} -> ok end,
    [{a, A}] = ets:lookup(T, a),
    [{b, B}] = ets:lookup(T, b),
    ?assertEqual(10, A + B).
