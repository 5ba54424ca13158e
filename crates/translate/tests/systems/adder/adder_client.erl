-module(adder_client).
-export([start_link/1, loop/1]).
start_link(K) -> {ok, spawn_link(?MODULE, loop, [K])}.
loop(K) ->
    case gen_server:call(adder, {add, K}, infinity) of
        ok -> loop(K);
        {error, full} -> gen_server:cast(adder, reset), loop(K)
    end.
