% Tracing is not modelled, so no tracer ever runs: what stops one has nothing to do.
-module(dbg).
-export([stop/0, stop_clear/0, get_tracer/0]).

stop() -> ok.
stop_clear() -> ok.
get_tracer() -> {error, {no_tracer_on_node, node()}}.
