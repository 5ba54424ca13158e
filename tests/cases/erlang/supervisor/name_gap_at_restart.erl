%! run: name_gap_at_restart:test/0
%! verdict: abnormal_exit
%% Between the failure of a child and its restart its name is free, and a call then exits with noproc.
-module(name_gap_at_restart).
-export([test/0]).
-concuerror_options([{treat_as_normal, shutdown}, {treat_as_normal, boom}]).
-behaviour(supervisor).
-export([init/1, start_child/0, child/1]).

test() ->
    {ok, _} = supervisor:start_link(?MODULE, []),
    worker ! fail,
    worker ! hello.

init(_) ->
    {ok, {#{}, [#{id => c, start => {?MODULE, start_child, []}}]}}.
start_child() ->
    P = spawn_link(?MODULE, child, [self()]),
    receive {named, P} -> {ok, P} end.
child(Starter) ->
    register(worker, self()),
    Starter ! {named, self()},
    loop().
loop() -> receive fail -> exit(boom); hello -> loop() end.
