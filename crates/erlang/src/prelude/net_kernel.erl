%% One node, which nobody else can reach: no other node comes or goes.
-module(net_kernel).
-export([monitor_nodes/1, monitor_nodes/2, connect_node/1]).

monitor_nodes(Flag) -> monitor_nodes(Flag, []).
monitor_nodes(Flag, _) when is_boolean(Flag) -> ok;
monitor_nodes(Flag, _) -> error(badarg, [Flag]).

connect_node(Node) when is_atom(Node) -> ignored.
