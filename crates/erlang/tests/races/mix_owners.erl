%% Tables whose owners end, and calls of a server that is stopped; only commutation is looked at.
-module(mix_owners).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

init(S) -> {ok, S}.
handle_call(later, From, S) -> spawn(fun() -> gen_server:reply(From, done) end), {noreply, S};
handle_call(_, _, S) -> {reply, S, S + 1}.
handle_cast(_, S) -> {noreply, S}.

main() ->
    Heir = spawn(fun() -> receive {'ETS-TRANSFER', T, _, _} -> catch ets:lookup(T, x) end end),
    {ok, S} = gen_server:start({local, s}, mix_owners, 0, []),
    All = [
        [fun() -> ets:new(h, [named_table, public, {heir, Heir, x}]), ets:insert(h, {x, 1}) end],
        [fun() -> ets:insert(h, {x, 2}) end, fun() -> ets:lookup(h, x) end, fun() -> ets:whereis(g) end],
        [fun() -> T = ets:new(g, [named_table]), ets:give_away(T, Heir, x) end, fun() -> ets:all() end],
        [fun() -> gen_server:call(s, get, 5) end, fun() -> gen_server:cast(s, x) end],
        [fun() -> gen_server:call(S, later, 5) end, fun() -> gen_server:stop(S) end],
        [fun() -> gen_server:start({local, s}, mix_owners, 0, []) end, fun() -> exit(Heir, kill) end],
        [fun() -> ets:delete(h) end, fun() -> ets:info(h, owner) end]
    ],
    [spawn(fun() -> [catch F() || F <- Fs] end) || Fs <- All],
    receive never -> ok end.
