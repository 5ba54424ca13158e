%% A water plant under supervision: three pumps (gen_server), a valve (gen_statem) that closes by itself, and a recorder that
%% owns a table. `main` kills each of them in turn, waits until its supervisor has started it again, and uses it; `hasty` does not
%% wait.
-module(plant).
-export([main/0, hasty/0]).

%% A killed process is what this is about, not a failure of it.
-foresee_options([{treat_as_normal, killed}]).

-define(CHILDREN, [pump_1, pump_2, pump_3, valve, recorder]).

main() ->
    {ok, Supervisor} = plant_sup:start_link(),
    [ok = kill_and_await(Name) || Name <- ?CHILDREN],
    work(),
    io:format("pumped ~p, valve ~p, recorded ~p~n",
              [[pump:total(Pump) || Pump <- [pump_1, pump_2, pump_3]], valve:state(), recorder:entries()]),
    stop(Supervisor).

%% Everybody at work: the valve opens, the pumps pump, the recorder writes it down; then the valve closes by itself.
work() ->
    ok = valve:open(),
    [ok = pump:run(Pump, Litres) || {Pump, Litres} <- [{pump_1, 5}, {pump_2, 7}, {pump_3, 11}]],
    ok = recorder:write(pumped, 23),
    timer:sleep(200),
    closed = valve:state().

%% Kills a process and asks for its name until there is another one behind it.
kill_and_await(Name) ->
    Old = whereis(Name),
    exit(Old, kill),
    await(Name, Old).

await(Name, Old) ->
    case whereis(Name) of
        New when is_pid(New), New =/= Old -> ok;
        _ -> timer:sleep(10), await(Name, Old)
    end.

%% Kills a pump and uses it at once: it may be the old one's last word, nobody, or the new one.
hasty() ->
    {ok, Supervisor} = plant_sup:start_link(),
    exit(whereis(pump_1), kill),
    ok = pump:run(pump_1, 5),
    stop(Supervisor).

stop(Supervisor) ->
    unlink(Supervisor),
    Monitor = monitor(process, Supervisor),
    exit(Supervisor, shutdown),
    receive {'DOWN', Monitor, process, Supervisor, shutdown} -> ok end.
