%% Accounts as processes, transfers that may fail.
-module(bank).
-export([main/0]).

main() ->
    A = account(100), B = account(0),
    p(transfer(A, B, 30)),
    p(transfer(A, B, 100)),
    p(transfer(B, A, 5)),
    p({ask(A, balance), ask(B, balance)}).

account(Balance) -> spawn(fun() -> account_loop(Balance) end).

account_loop(Balance) ->
    receive
        {From, balance} -> From ! {self(), Balance}, account_loop(Balance);
        {From, {withdraw, N}} when N =< Balance -> From ! {self(), ok}, account_loop(Balance - N);
        {From, {withdraw, _}} -> From ! {self(), refused}, account_loop(Balance);
        {From, {deposit, N}} -> From ! {self(), ok}, account_loop(Balance + N)
    end.

ask(Pid, Request) -> Pid ! {self(), Request}, receive {Pid, Answer} -> Answer end.

transfer(From, To, N) ->
    case ask(From, {withdraw, N}) of
        ok -> ask(To, {deposit, N});
        Refused -> Refused
    end.

p(X) -> io:format("~p~n", [X]).
