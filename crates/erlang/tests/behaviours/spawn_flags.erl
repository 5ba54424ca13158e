-module(spawn_flags).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

%% What a process was started with is told of it, and what it has set itself.
main() ->
    Items = [message_queue_data, priority, fullsweep_after],
    P = spawn_opt(fun() -> receive after infinity -> ok end end, [{message_queue_data, off_heap}, {priority, low}]),
    io:format("~p~n", [process_info(P, Items)]),
    {ok, S} = gen_server:start(?MODULE, [], [{spawn_opt, [{message_queue_data, off_heap}, {fullsweep_after, 7}]}]),
    io:format("~p~n", [process_info(S, Items)]),
    on_heap = process_flag(message_queue_data, off_heap),
    io:format("~p~n", [process_info(self(), Items)]),
    io:format("~p~n", [catch element(1, element(2, catch spawn_opt(fun() -> ok end, [{priority, lowest}])))]),
    io:format("~p~n", [element(1, timer:tc(fun() -> ok end)) >= 0]).

init(_) -> {ok, []}.
handle_call(_, _, S) -> {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
