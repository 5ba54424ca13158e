%% Alarms, kept by a handler of an event manager that is started with sasl, or when it is first needed.
-module(alarm_handler).
-export([set_alarm/1, clear_alarm/1, get_alarms/0, add_alarm_handler/1, add_alarm_handler/2,
         delete_alarm_handler/1, init/1, handle_event/2, handle_info/2, handle_call/2, terminate/2,
         foresee_start/0, foresee_stop/0]).

set_alarm(Alarm) -> gen_event:notify(foresee_start(), {set_alarm, Alarm}).
clear_alarm(Id) -> gen_event:notify(foresee_start(), {clear_alarm, Id}).
get_alarms() -> gen_event:call(foresee_start(), ?MODULE, get_alarms).
add_alarm_handler(Module) -> gen_event:add_handler(foresee_start(), Module, []).
add_alarm_handler(Module, Args) -> gen_event:add_handler(foresee_start(), Module, Args).
delete_alarm_handler(Module) -> gen_event:delete_handler(foresee_start(), Module, []).

foresee_start() ->
    case gen_event:start({local, ?MODULE}) of
        {ok, _} -> gen_event:add_handler(?MODULE, ?MODULE, []);
        {error, {already_started, _}} -> ok
    end,
    ?MODULE.

foresee_stop() ->
    case whereis(?MODULE) of
        undefined -> ok;
        _ -> gen_event:stop(?MODULE, shutdown, infinity)
    end.

init(_) -> {ok, []}.

handle_event({set_alarm, Alarm}, Alarms) -> {ok, [Alarm | Alarms]};
handle_event({clear_alarm, Id}, Alarms) -> {ok, lists:keydelete(Id, 1, Alarms)};
handle_event(_, Alarms) -> {ok, Alarms}.

handle_info(_, Alarms) -> {ok, Alarms}.

handle_call(get_alarms, Alarms) -> {ok, Alarms, Alarms};
handle_call(_, Alarms) -> {ok, {error, bad_query}, Alarms}.

terminate(swap, Alarms) -> {alarm_handler, Alarms};
terminate(_, _) -> ok.
