%! run: restarts_its_child:test/0
%! verdict: holds
%% A permanent child that fails is started again.
-module(restarts_its_child).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, shutdown}, {treat_as_normal, boom}]).
-behaviour(supervisor).
-export([init/1, start_child/1, child/1]).

test() ->
    {ok, _} = supervisor:start_link(?MODULE, self()),
    First = receive {up, P} -> P end,
    First ! fail,
    Second = receive {up, Q} -> Q end,
    ?assert(First =/= Second).

init(Boss) ->
    {ok, {#{strategy => one_for_one}, [#{id => c, start => {?MODULE, start_child, [Boss]}}]}}.
start_child(Boss) -> {ok, spawn_link(?MODULE, child, [Boss])}.
child(Boss) -> Boss ! {up, self()}, receive fail -> exit(boom) end.
