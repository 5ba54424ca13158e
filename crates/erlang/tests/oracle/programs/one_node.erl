%% What distribution looks like when there is one node.
-module(one_node).
-export([main/0]).

main() ->
    p(node()), p(nodes()), p(nodes(this)), p(nodes(connected)), p(is_alive()), p(node(self())), p(node(make_ref())),
    Self = self(),
    spawn(node(), fun() -> Self ! {from, node()} end),
    receive {from, N} -> p(N) end,
    spawn(node(), erlang, send, [Self, by_mfa]),
    receive by_mfa -> p(by_mfa) end,
    spawn_link(node(), erlang, send, [Self, by_link]),
    receive by_link -> p(by_link) end.

p(X) -> io:format("~p~n", [X]).
