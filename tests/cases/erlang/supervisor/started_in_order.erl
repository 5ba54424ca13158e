%! run: started_in_order:test/0
%! verdict: holds
%% Children start in order: the second finds the first.
-module(started_in_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, shutdown}]).
-behaviour(supervisor).
-export([init/1, first/0, second/0]).

test() ->
    {ok, S} = supervisor:start_link(?MODULE, []),
    ?assertEqual(2, length(supervisor:which_children(S))).

init(_) ->
    {ok, {#{}, [#{id => F, start => {?MODULE, F, []}} || F <- [first, second]]}}.
first() ->
    P = spawn_link(fun() -> receive stop -> ok end end),
    register(the_first, P),
    {ok, P}.
second() ->
    true = is_pid(whereis(the_first)),
    {ok, spawn_link(fun() -> receive stop -> ok end end)}.
