%% A writer that puts and deletes over and over, and a reader that looks twice.
-module(store_sup).
-behaviour(supervisor).
-export([start_link/0, init/1, start_writer/0, start_reader/0, writer/0, reader/0]).

start_link() ->
    supervisor:start_link({local, store_sup}, store_sup, []).

init([]) ->
    Store = {store, {store, start_link, []}, permanent, 5000, worker, [store]},
    Writer = {writer, {store_sup, start_writer, []}, temporary, 5000, worker, [store_sup]},
    Reader = {reader, {store_sup, start_reader, []}, temporary, 5000, worker, [store_sup]},
    {ok, {{one_for_one, 1, 5}, [Store, Writer, Reader]}}.

start_writer() -> {ok, spawn_link(fun() -> store_sup:writer() end)}.
start_reader() -> {ok, spawn_link(?MODULE, reader, [])}.

writer() ->
    gen_server:call(store, {put, x, 1}, infinity),
    gen_server:cast(store, {delete, x}),
    writer().

reader() ->
    case gen_server:call(store, {get, x}, infinity) of
        {ok, _} -> foresee:action(seen, []);
        none -> ok
    end,
    gen_server:call(store, changes, infinity).
