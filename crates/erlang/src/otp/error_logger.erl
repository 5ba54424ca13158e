%% As logger: reports are taken and say nothing, and handlers, which would be called for them, are not modelled.
-module(error_logger).
-export([error_msg/1, error_msg/2, warning_msg/1, warning_msg/2, info_msg/1, info_msg/2, format/2,
         error_report/1, error_report/2, warning_report/1, warning_report/2, info_report/1,
         info_report/2, tty/1, logfile/1, add_report_handler/1, add_report_handler/2,
         delete_report_handler/1, start/0, start_link/0, stop/0]).

error_msg(_) -> ok.
error_msg(_, _) -> ok.
warning_msg(_) -> ok.
warning_msg(_, _) -> ok.
info_msg(_) -> ok.
info_msg(_, _) -> ok.
format(_, _) -> ok.
error_report(_) -> ok.
error_report(_, _) -> ok.
warning_report(_) -> ok.
warning_report(_, _) -> ok.
info_report(_) -> ok.
info_report(_, _) -> ok.
tty(_) -> ok.
logfile({open, _}) -> erlang:'$not_modelled'(error_logger, logfile, 1);
logfile(_) -> {error, no_log_file}.
add_report_handler(_) -> erlang:'$not_modelled'(error_logger, add_report_handler, 1).
add_report_handler(_, _) -> erlang:'$not_modelled'(error_logger, add_report_handler, 2).
delete_report_handler(_) -> {error, module_not_found}.
start() -> ok.
start_link() -> ok.
stop() -> ok.
