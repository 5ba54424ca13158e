%% A pool of resources, filled after the start, before the first message. Who asks an empty pool waits.
-module(pool).
-behaviour(gen_server).
-export([start_link/1, init/1, handle_continue/2, handle_call/3, handle_cast/2, handle_info/2]).

-record(pool, {free = [], busy = [], waiting = []}).

start_link(N) ->
    gen_server:start_link({local, pool}, pool, N, []).

init(N) ->
    process_flag(trap_exit, true),
    {ok, #pool{}, {continue, {fill, N}}}.

handle_continue({fill, N}, Pool) ->
    {noreply, Pool#pool{free = lists:seq(1, N)}};
handle_continue(serve, Pool = #pool{free = [R | Free], waiting = [From | Waiting]}) ->
    {Pid, _} = From,
    gen_server:reply(From, {ok, R}),
    {noreply, Pool#pool{free = Free, busy = [{R, Pid} | Pool#pool.busy], waiting = Waiting}, {continue, serve}};
handle_continue(serve, Pool) ->
    {noreply, Pool}.

handle_call(acquire, From = {Pid, _}, Pool) ->
    link(Pid),
    {noreply, Pool#pool{waiting = Pool#pool.waiting ++ [From]}, {continue, serve}};
handle_call({release, R}, _From, Pool = #pool{free = Free, busy = Busy}) ->
    {reply, ok, Pool#pool{free = Free ++ [R], busy = lists:keydelete(R, 1, Busy)}, {continue, serve}}.

handle_cast(_, Pool) ->
    {noreply, Pool}.

handle_info({'EXIT', Pid, _}, Pool = #pool{free = Free, busy = Busy, waiting = Waiting}) ->
    Freed = [R || {R, P} <- Busy, P =:= Pid],
    Left = [{R, P} || {R, P} <- Busy, P =/= Pid],
    Still = [F || F = {P, _} <- Waiting, P =/= Pid],
    {noreply, Pool#pool{free = Free ++ Freed, busy = Left, waiting = Still}, {continue, serve}}.
