%% A trapping server sees exits of its links; its parent's exit ends it through terminate.
-module(gen_server_trap_exit).
-export([main/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

main() ->
    Self = self(),
    Parent = spawn(fun() -> {ok, P} = gen_server:start_link(?MODULE, Self, []), Self ! {server, P}, receive stop -> exit(parent_gone) end end),
    P = receive {server, X} -> X end,
    M = monitor(process, P),
    p(gen_server:call(P, link_and_die)),
    receive {saw, W} -> p({saw, W}) end,
    Parent ! stop,
    receive {terminated, R} -> p({terminated, R}) end,
    receive {'DOWN', M, _, _, D} -> p(D) end.

init(Test) -> process_flag(trap_exit, true), {ok, Test}.
handle_call(link_and_die, _, S) -> spawn_link(fun() -> exit(child_gone) end), {reply, ok, S}.
handle_cast(_, S) -> {noreply, S}.
handle_info({'EXIT', _, R}, S) -> S ! {saw, R}, {noreply, S}.
terminate(R, S) -> S ! {terminated, R}.

p(X) -> io:format("~p~n", [X]).
