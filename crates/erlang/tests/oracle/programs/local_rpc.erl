%% rpc on the one node there is.
-module(local_rpc).
-export([main/0]).
-export([double/1]).

main() ->
    p(rpc:call(node(), ?MODULE, double, [4])),
    p(rpc:call(node(), lists, reverse, [[1, 2]], 1000)),
    p(element(1, rpc:call(node(), erlang, error, [oops]))),
    p(rpc:multicall([node()], ?MODULE, double, [5])),
    p(rpc:block_call(node(), ?MODULE, double, [6])),
    p(rpc:cast(node(), erlang, self, [])).

double(X) -> X * 2.

p(X) -> io:format("~p~n", [X]).
