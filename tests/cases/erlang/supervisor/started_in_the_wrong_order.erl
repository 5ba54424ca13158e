%! run: started_in_the_wrong_order:test/0
%! verdict: abnormal_exit
%% The child that needs the other is started first, so the supervisor does not start at all.
-module(started_in_the_wrong_order).
-export([test/0]).
-concuerror_options([{treat_as_normal, shutdown}]).
-behaviour(supervisor).
-export([init/1, first/0, second/0]).

test() ->
    process_flag(trap_exit, true),
    {ok, _} = supervisor:start_link(?MODULE, []).

init(_) ->
    {ok, {#{}, [#{id => F, start => {?MODULE, F, []}} || F <- [second, first]]}}.
first() ->
    P = spawn_link(fun() -> receive stop -> ok end end),
    register(the_first, P),
    {ok, P}.
second() ->
    case whereis(the_first) of
        undefined -> {error, first_is_missing};
        _ -> {ok, spawn_link(fun() -> receive stop -> ok end end)}
    end.
