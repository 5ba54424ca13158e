%% Log calls are taken and say nothing: what a program logs is no part of what it does. The handlers of Erlang itself, which write
%% to a screen or a file, are kept in a list and write nothing, and their filters are not asked. A handler or a primary filter
%% of the program's own, which would be called for its own events and for those of the run-time system (crashes,
%% supervisors), is not modelled.
-module(logger).
-export([log/2, log/3, log/4, debug/1, debug/2, debug/3, info/1, info/2, info/3, notice/1, notice/2,
         notice/3, warning/1, warning/2, warning/3, error/1, error/2, error/3, critical/1, critical/2,
         critical/3, alert/1, alert/2, alert/3, emergency/1, emergency/2, emergency/3,
         set_primary_config/1, set_primary_config/2, set_process_metadata/1, update_process_metadata/1,
         get_process_metadata/0, set_module_level/2, set_handler_config/2, set_handler_config/3,
         add_handler/3, remove_handler/1, add_primary_filter/2, set_application_level/2, allow/2,
         get_primary_config/0, compare_levels/2, macro_log/3, macro_log/4, macro_log/5, timestamp/0,
         unset_process_metadata/0, unset_module_level/0, unset_module_level/1, unset_application_level/1,
         get_module_level/0, get_module_level/1, get_config/0, get_handler_config/0, get_handler_config/1,
         get_handler_ids/0, add_handlers/1, add_handler_filter/3, remove_handler_filter/2,
         remove_primary_filter/1, update_primary_config/1, update_handler_config/2, update_handler_config/3,
         update_formatter_config/2, update_formatter_config/3, add_default_metadata/1, reconfigure/0]).

log(_, _) -> ok.
log(_, _, _) -> ok.
log(_, _, _, _) -> ok.
debug(_) -> ok.
debug(_, _) -> ok.
debug(_, _, _) -> ok.
info(_) -> ok.
info(_, _) -> ok.
info(_, _, _) -> ok.
notice(_) -> ok.
notice(_, _) -> ok.
notice(_, _, _) -> ok.
warning(_) -> ok.
warning(_, _) -> ok.
warning(_, _, _) -> ok.
error(_) -> ok.
error(_, _) -> ok.
error(_, _, _) -> ok.
critical(_) -> ok.
critical(_, _) -> ok.
critical(_, _, _) -> ok.
alert(_) -> ok.
alert(_, _) -> ok.
alert(_, _, _) -> ok.
emergency(_) -> ok.
emergency(_, _) -> ok.
emergency(_, _, _) -> ok.

set_primary_config(_) -> ok.
set_primary_config(_, _) -> ok.
get_primary_config() -> #{level => notice, filters => [], filter_default => log, metadata => #{}}.
set_module_level(_, _) -> ok.
set_application_level(_, _) -> ok.
set_handler_config(Id, Config) -> changed(Id, fun(Old) -> maps:merge(maps:with([id, module], Old), Config) end).
set_handler_config(Id, Key, Value) -> changed(Id, fun(Old) -> Old#{Key => Value} end).

%% There is the one that Erlang starts with, which writes to the screen.
handlers() -> persistent_term:get({logger, handlers}, [{default, full(default, logger_std_h, #{})}]).

full(Id, Module, Config) ->
    Usual = #{level => all, filters => [], filter_default => log, formatter => {logger_formatter, #{}}},
    maps:merge(Usual, Config#{id => Id, module => Module}).

changed(Id, Change) ->
    Handlers = handlers(),
    case lists:keyfind(Id, 1, Handlers) of
        {Id, Config} ->
            persistent_term:put({logger, handlers}, lists:keyreplace(Id, 1, Handlers, {Id, Change(Config)}));
        false -> {error, {not_found, Id}}
    end.

add_handler(Id, Module, Config) when Module =:= logger_std_h; Module =:= logger_disk_log_h ->
    Handlers = handlers(),
    case lists:keymember(Id, 1, Handlers) of
        true -> {error, {already_exist, Id}};
        false -> persistent_term:put({logger, handlers}, Handlers ++ [{Id, full(Id, Module, Config)}])
    end;
add_handler(_, _, _) -> erlang:'$not_modelled'(logger, add_handler, 3).
remove_handler(Id) ->
    Handlers = handlers(),
    case lists:keymember(Id, 1, Handlers) of
        true -> persistent_term:put({logger, handlers}, lists:keydelete(Id, 1, Handlers));
        false -> {error, {not_found, Id}}
    end.
add_primary_filter(_, _) -> erlang:'$not_modelled'(logger, add_primary_filter, 2).
%% The primary level is notice, as in a fresh Erlang: below it a macro does not even evaluate its arguments.
allow(Level, _) -> rank(Level) =< rank(notice).

macro_log(_, _, _) -> ok.
macro_log(_, _, _, _) -> ok.
macro_log(_, _, _, _, _) -> ok.
timestamp() -> erlang:system_time(microsecond).
add_handlers(_) -> erlang:'$not_modelled'(logger, add_handlers, 1).
add_handler_filter(Id, Name, Filter) ->
    changed(Id, fun(#{filters := Filters} = Config) -> Config#{filters := Filters ++ [{Name, Filter}]} end).
remove_handler_filter(Id, Name) ->
    changed(Id, fun(#{filters := Filters} = Config) -> Config#{filters := lists:keydelete(Name, 1, Filters)} end).
remove_primary_filter(Id) -> {error, {not_found, Id}}.
update_primary_config(_) -> ok.
update_handler_config(Id, Config) -> changed(Id, fun(Old) -> maps:merge(Old, Config) end).
update_handler_config(Id, Key, Value) -> changed(Id, fun(Old) -> Old#{Key => Value} end).
update_formatter_config(Id, _) -> changed(Id, fun(Old) -> Old end).
update_formatter_config(Id, _, _) -> changed(Id, fun(Old) -> Old end).
add_default_metadata(Event) -> Event.
reconfigure() -> ok.
unset_module_level() -> ok.
unset_module_level(_) -> ok.
unset_application_level(_) -> ok.
get_module_level() -> [].
get_module_level(_) -> [].
get_config() -> erlang:'$not_modelled'(logger, get_config, 0).
get_handler_config() -> [Config || {_, Config} <- handlers()].
get_handler_config(Id) ->
    case lists:keyfind(Id, 1, handlers()) of
        {Id, Config} -> {ok, Config};
        false -> {error, {not_found, Id}}
    end.
get_handler_ids() -> [Id || {Id, _} <- handlers()].
unset_process_metadata() ->
    erase('$logger_metadata$'),
    ok.

set_process_metadata(Meta) ->
    put('$logger_metadata$', Meta),
    ok.
update_process_metadata(Meta) ->
    case get('$logger_metadata$') of
        undefined -> set_process_metadata(Meta);
        Old -> set_process_metadata(maps:merge(Old, Meta))
    end.
get_process_metadata() -> get('$logger_metadata$').

compare_levels(Level, Level) -> eq;
compare_levels(A, B) ->
    case rank(A) < rank(B) of
        true -> gt;
        false -> lt
    end.

rank(Level) -> rank(Level, [none, emergency, alert, critical, error, warning, notice, info, debug, all], 0).
rank(Level, [Level | _], N) -> N;
rank(Level, [_ | Rest], N) -> rank(Level, Rest, N + 1).
