%% More of module rpc on the one node there is.
-module(rpc_forms).
-export([main/0, double/1, add/2]).

main() ->
    K = rpc:async_call(node(), ?MODULE, double, [4]),
    p(rpc:yield(K)),
    L = rpc:async_call(node(), ?MODULE, double, [5]),
    p(rpc:nb_yield(L, 1000)),
    M = rpc:async_call(node(), timer, sleep, [50]),
    p(rpc:nb_yield(M)),
    p(rpc:block_call(node(), ?MODULE, double, [6], 1000)),
    p(rpc:multicall(?MODULE, add, [1, 2])),
    p(rpc:multicall([node()], ?MODULE, add, [1, 2], 1000)),
    p(rpc:multicall(?MODULE, add, [1, 2], 1000)),
    p(rpc:pmap({?MODULE, add}, [10], [1, 2, 3])),
    p(rpc:call(node(), timer, sleep, [1000], 10)),
    p(rpc:call('nobody@nowhere', erlang, self, [])),
    p(rpc:call(node(), erlang, throw, [ball])),
    p(rpc:call(node(), erlang, exit, [bye])).

double(X) -> X * 2.
add(X, Y) -> X + Y.

p(X) -> io:format("~p~n", [X]).
