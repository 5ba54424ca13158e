%! run: same_child_twice:test/0
%! verdict: abnormal_exit
%% Two processes start a child of the same id; the second is told already_started.
-module(same_child_twice).
-export([test/0]).
-concuerror_options([{treat_as_normal, shutdown}]).
-behaviour(supervisor).
-export([init/1, start_child/0]).

test() ->
    {ok, S} = supervisor:start_link(?MODULE, []),
    Spec = #{id => c, start => {?MODULE, start_child, []}},
    Self = self(),
    [spawn(fun() -> R = supervisor:start_child(S, Spec), Self ! done, {ok, _} = R end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]].

init(_) -> {ok, {#{}, []}}.
start_child() -> {ok, spawn_link(fun() -> receive stop -> ok end end)}.
