%! run: dynamic_children:test/0
%! verdict: holds
%% simple_one_for_one: children are added while the supervisor runs, by two processes at once.
-module(dynamic_children).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, shutdown}]).
-behaviour(supervisor).
-export([init/1, start_child/1]).

test() ->
    {ok, S} = supervisor:start_link(?MODULE, []),
    Self = self(),
    [spawn(fun() -> {ok, _} = supervisor:start_child(S, [N]), Self ! done end) || N <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(2, length(supervisor:which_children(S))).

init(_) ->
    {ok, {#{strategy => simple_one_for_one},
          [#{id => c, restart => temporary, start => {?MODULE, start_child, []}}]}}.
start_child(_N) -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.
