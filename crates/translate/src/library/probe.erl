%% Starts a supervision tree without starting anything: what would start a process says what it would start instead.
%% The calls of the user's modules that start processes are turned into calls of this module before it runs.
-module(foresee_translate_probe).
-export([tree/2, supervisor/2, supervisor/3, server/3, server/4, other/1, spawned/1, spawned/3, register/2, action/2]).

tree(Module, Function) ->
    erase(),
    exit({'$tree', started(apply(Module, Function, []))}).

supervisor(_Name, Module, Arguments) ->
    supervisor(Module, Arguments).

supervisor(Module, Arguments) ->
    case Module:init(Arguments) of
        {ok, {Flags, Specs}} -> {ok, {'$supervisor', strategy(Flags), [child(Spec) || Spec <- Specs]}};
        Other -> {ok, {'$other', {supervisor_init, Module, Other}}}
    end.

strategy(#{strategy := Strategy}) -> Strategy;
strategy(#{}) -> one_for_one;
strategy({Strategy, _, _}) -> Strategy.

child(Spec = #{id := Id, start := {M, F, A}}) -> {Id, restart(Spec), started(apply(M, F, A))};
child({Id, {M, F, A}, Restart, _, _, _}) -> {Id, Restart, started(apply(M, F, A))};
child(Other) -> {Other, temporary, {'$other', {no_child_specification, Other}}}.

restart(#{restart := Restart}) -> Restart;
restart(_) -> permanent.

started({ok, What}) -> named(What);
started({ok, What, _}) -> named(What);
started(Other) -> {'$other', {not_started, Other}}.

named({'$spawned', N, M, F, A}) -> {'$client', erlang:get({name, N}), M, F, A};
named(What) -> What.

server(Module, Arguments, _Options) ->
    {ok, {'$server', undefined, Module, Arguments}}.

server({_, Name}, Module, Arguments, _Options) ->
    {ok, {'$server', Name, Module, Arguments}}.

other(What) ->
    {ok, {'$other', What}}.

spawned(_Fun) ->
    {'$other', spawned_fun}.

spawned(M, F, A) ->
    N = case erlang:get(n) of undefined -> 0; Last -> Last end + 1,
    put(n, N),
    {'$spawned', N, M, F, A}.

register(Name, {'$spawned', N, _, _, _}) ->
    put({name, N}, {registered, Name}),
    true;
register(_, _) ->
    true.

action(_, _) ->
    ok.
