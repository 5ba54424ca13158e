%! run: counts_its_children:test/0
%! verdict: holds
%% which_children and count_children tell of the children that are there.
-module(counts_its_children).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, shutdown}]).
-behaviour(supervisor).
-export([init/1, start_child/0]).

test() ->
    {ok, S} = supervisor:start_link(?MODULE, []),
    [{c, P, worker, _}] = supervisor:which_children(S),
    ?assert(is_pid(P)),
    ?assertEqual(1, proplists:get_value(active, supervisor:count_children(S))),
    ok = supervisor:terminate_child(S, c),
    ?assertEqual([{c, undefined, worker, [?MODULE]}], supervisor:which_children(S)).

init(_) ->
    {ok, {#{}, [#{id => c, start => {?MODULE, start_child, []}}]}}.
start_child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.
