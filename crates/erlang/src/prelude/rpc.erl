%% Calls on other nodes: there is one node, and calls on it happen in a process of their own. A call on another node
%% finds nobody there.
-module(rpc).

-export([call/4, call/5, block_call/4, block_call/5, cast/4, multicall/3, multicall/4, multicall/5,
         async_call/4, yield/1, nb_yield/1, nb_yield/2, pmap/3]).

call(Node, Module, Function, Args) -> call(Node, Module, Function, Args, infinity).

call(Node, Module, Function, Args, Timeout) when Node =:= node() ->
    {Pid, Monitor} = spawn_monitor(fun() -> exit({'$rpc', outcome(Module, Function, Args)}) end),
    receive
        {'DOWN', Monitor, process, Pid, {'$rpc', Outcome}} -> Outcome;
        {'DOWN', Monitor, process, Pid, Reason} -> {badrpc, {'EXIT', Reason}}
    after Timeout ->
        demonitor(Monitor, [flush]),
        {badrpc, timeout}
    end;
call(_, _, _, _, _) -> {badrpc, nodedown}.

outcome(Module, Function, Args) ->
    try apply(Module, Function, Args)
    catch
        throw:Value -> Value;
        exit:Reason -> {badrpc, {'EXIT', Reason}};
        error:Reason:Stack -> {badrpc, {'EXIT', {Reason, Stack}}}
    end.

block_call(Node, Module, Function, Args) -> call(Node, Module, Function, Args).
block_call(Node, Module, Function, Args, Timeout) -> call(Node, Module, Function, Args, Timeout).

cast(Node, Module, Function, Args) when Node =:= node() ->
    spawn(Module, Function, Args),
    true;
cast(_, _, _, _) -> true.

multicall(Module, Function, Args) -> multicall([node() | nodes()], Module, Function, Args).

multicall(Nodes, Module, Function, Args) when is_list(Nodes) ->
    multicall(Nodes, Module, Function, Args, infinity);
multicall(Module, Function, Args, Timeout) ->
    multicall([node() | nodes()], Module, Function, Args, Timeout).

multicall(Nodes, Module, Function, Args, Timeout) ->
    {Known, Bad} = lists:partition(fun(Node) -> Node =:= node() end, Nodes),
    {[call(Node, Module, Function, Args, Timeout) || Node <- Known], Bad}.

async_call(Node, Module, Function, Args) ->
    Self = self(),
    spawn(fun() -> Self ! {self(), {promise_reply, call(Node, Module, Function, Args)}} end).

yield(Key) ->
    receive {Key, {promise_reply, Value}} -> Value end.

nb_yield(Key) -> nb_yield(Key, 0).

nb_yield(Key, Timeout) ->
    receive
        {Key, {promise_reply, Value}} -> {value, Value}
    after Timeout -> timeout
    end.

pmap({Module, Function}, Extra, List) ->
    Keys = [async_call(node(), Module, Function, [X | Extra]) || X <- List],
    [yield(Key) || Key <- Keys].
