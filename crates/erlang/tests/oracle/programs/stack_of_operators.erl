-module(stack_of_operators).
-export([main/0]).

%% Operators that fail are in the stack, but for divisions.
main() ->
    Failing = [fun() -> {1 / id(0)} end, fun() -> {id(a) / 2} end, fun() -> {1 rem id(0)} end, fun() -> {1 div id(0)} end,
               fun() -> {bnot id(a)} end, fun() -> {not id(1)} end, fun() -> {id(a) ++ id(b)} end, fun() -> {abs(id(a))} end],
    [io:format("~p~n", [top(F)]) || F <- Failing].

top(F) ->
    try F()
    catch error:Reason:Stack -> top(Reason, hd(Stack))
    end.

top(Reason, {erlang, Function, Args, _}) -> {Reason, Function, Args};
top(Reason, {Module, _, _, _}) -> {Reason, Module}.

id(X) -> X.
