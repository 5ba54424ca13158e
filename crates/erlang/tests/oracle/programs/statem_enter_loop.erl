%% A process becomes a gen_statem.
-module(statem_enter_loop).
-export([main/0]).
-behaviour(gen_statem).
-export([go/0, init/1, callback_mode/0, on/3, off/3]).

main() ->
    {ok, P} = proc_lib:start_link(?MODULE, go, []),
    p(gen_statem:call(P, flip)), p(gen_statem:call(P, flip)),
    gen_statem:stop(P).

go() -> proc_lib:init_ack({ok, self()}), gen_statem:enter_loop(?MODULE, [], off, 0).
callback_mode() -> state_functions.
init(_) -> {ok, off, 0}.
off({call, F}, flip, N) -> {next_state, on, N + 1, {reply, F, {on, N + 1}}}.
on({call, F}, flip, N) -> {next_state, off, N + 1, {reply, F, {off, N + 1}}}.

p(X) -> io:format("~p~n", [X]).
