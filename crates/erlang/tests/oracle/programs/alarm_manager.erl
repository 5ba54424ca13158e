%% The event manager of alarms comes and goes with sasl, and its handler can be swapped.
-module(alarm_manager).
-export([main/0, init/1, handle_event/2, handle_call/2, handle_info/2, terminate/2]).

main() ->
    ok = application:start(sasl),
    io:format("~p ~p~n", [is_pid(whereis(alarm_handler)), gen_event:which_handlers(alarm_handler)]),
    ok = alarm_handler:set_alarm({disk, full}),
    io:format("~p~n", [gen_event:swap_handler(alarm_handler, {alarm_handler, swap}, {?MODULE, mine})]),
    ok = alarm_handler:set_alarm({hot, 90}),
    io:format("~p ~p~n", [gen_event:which_handlers(alarm_handler), alarm_handler:get_alarms()]),
    io:format("~p~n", [gen_event:call(alarm_handler, ?MODULE, all)]),
    io:format("~p~n", [gen_event:swap_handler(alarm_handler, {?MODULE, back}, {alarm_handler, none})]),
    io:format("~p ~p~n", [gen_event:which_handlers(alarm_handler), alarm_handler:get_alarms()]),
    io:format("~p ~p~n", [application:stop(sasl), whereis(alarm_handler)]).

init({Mine, {alarm_handler, Alarms}}) -> {ok, {Mine, Alarms}}.
handle_event(Event, {Mine, All}) -> {ok, {Mine, [Event | All]}}.
handle_call(all, {_, All} = State) -> {ok, All, State}.
handle_info(_, State) -> {ok, State}.
terminate(back, {Mine, _}) -> {gone, Mine}.
