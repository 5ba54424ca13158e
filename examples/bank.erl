%% A bank with one account: an ordinary gen_server, a program that uses it, and a test with a race.
-module(bank).
-behaviour(gen_server).

-export([start_link/0, stop/0, balance/0, deposit/1, withdraw/1]).
-export([init/1, handle_call/3, handle_cast/2]).
-export([main/0, race_test/0, safe_test/0]).

-include_lib("eunit/include/eunit.hrl").

%% What clients call.

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

stop() -> gen_server:stop(?MODULE).

balance() -> gen_server:call(?MODULE, balance).

deposit(Amount) -> gen_server:call(?MODULE, {deposit, Amount}).

withdraw(Amount) -> gen_server:call(?MODULE, {withdraw, Amount}).

%% The server: its state is the balance.

init([]) -> {ok, 0}.

handle_call(balance, _From, Balance) ->
    {reply, Balance, Balance};
handle_call({deposit, Amount}, _From, Balance) ->
    {reply, ok, Balance + Amount};
handle_call({withdraw, Amount}, _From, Balance) when Amount =< Balance ->
    {reply, ok, Balance - Amount};
handle_call({withdraw, _Amount}, _From, Balance) ->
    {reply, {error, insufficient_funds}, Balance}.

handle_cast(_Request, Balance) -> {noreply, Balance}.

%% A program: three customers at once.

main() ->
    {ok, _} = start_link(),
    ok = deposit(100),
    Main = self(),
    Customers = [spawn_link(fun() -> customer(Main, Amount) end) || Amount <- [30, 50, 60]],
    Served = [receive {Customer, Answer} -> Answer end || Customer <- Customers],
    io:format("served: ~p~nleft: ~p~n", [Served, balance()]),
    stop().

customer(Main, Amount) ->
    timer:sleep(10),
    Answer = withdraw(Amount),
    io:format("~p asked for ~p: ~p~n", [self(), Amount, Answer]),
    Main ! {self(), Answer}.

%% Looks first, withdraws then: between the two, the other one may have been there.

race_test() ->
    {ok, _} = start_link(),
    ok = deposit(100),
    Main = self(),
    Careful = fun() ->
        case balance() >= 80 of
            true -> ?assertEqual(ok, withdraw(80));
            false -> no_money
        end,
        Main ! done
    end,
    spawn_link(Careful),
    spawn_link(Careful),
    [receive done -> ok end || _ <- [1, 2]],
    stop().

%% Asks and takes the answer for what it is.

safe_test() ->
    {ok, _} = start_link(),
    ok = deposit(100),
    Main = self(),
    [spawn_link(fun() -> Main ! withdraw(80) end) || _ <- [1, 2]],
    Answers = lists:sort([receive Answer -> Answer end || _ <- [1, 2]]),
    ?assertEqual([ok, {error, insufficient_funds}], Answers),
    ?assertEqual(20, balance()),
    stop().
