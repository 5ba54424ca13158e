%% Is it safe to repair a chain while it is in use?
%%
%% Two writers with different values, one reader that reads twice, and a
%% repairer, all at once; a coordinator that sets the stage, waits for them
%% and looks at what they tell. After Aronis, Fritchie and Sagonas, "Testing
%% and Verifying Chain Repair Methods for CORFU Using Stateless Model
%% Checking" (iFM 2017).
%%
%% Each function without arguments is one experiment. Its name says where the
%% repaired server goes, and how the model is refined:
%%   _conditional   the reader reads again only if it has seen a value
%%   _table         the layout is in a table, not with a server
%%   _refined       both
-module(corfu).

-export([tail/0, tail_conditional/0, tail_table/0, tail_refined/0]).
-export([head/0, head_conditional/0, head_table/0, head_refined/0]).
-export([middle/0, middle_conditional/0, middle_table/0, middle_refined/0]).
-export([middle_of_two/0, middle_of_two_conditional/0, middle_of_two_table/0]).
-export([middle_of_two_refined/0]).

-include_lib("eunit/include/eunit.hrl").
-include("corfu.hrl").

%% Method 1: at the end of a chain of two.
tail() -> repair(tail, 2, twice, server).
tail_conditional() -> repair(tail, 2, conditional, server).
tail_table() -> repair(tail, 2, twice, table).
tail_refined() -> repair(tail, 2, conditional, table).

%% Method 2: at the start of a chain of two.
head() -> repair(head, 2, twice, server).
head_conditional() -> repair(head, 2, conditional, server).
head_table() -> repair(head, 2, twice, table).
head_refined() -> repair(head, 2, conditional, table).

%% Method 3: in the middle of a chain of one, which is split for that.
middle() -> repair(middle, 1, twice, server).
middle_conditional() -> repair(middle, 1, conditional, server).
middle_table() -> repair(middle, 1, twice, table).
middle_refined() -> repair(middle, 1, conditional, table).

%% Method 3: in the middle of a chain of two.
middle_of_two() -> repair(middle, 2, twice, server).
middle_of_two_conditional() -> repair(middle, 2, conditional, server).
middle_of_two_table() -> repair(middle, 2, twice, table).
middle_of_two_refined() -> repair(middle, 2, conditional, table).

repair(Where, HealthyCount, Reading, LayoutIn) ->
    Epoch = 1,
    Healthy = [corfu_log:start_link(Epoch) || _ <- lists:seq(1, HealthyCount)],
    Repaired = corfu_log:start_link(0),
    {Layout, Plan} = corfu_repair:plan(Where, Healthy, Repaired, Epoch),
    Service = corfu_layout:start(LayoutIn, Layout),

    Writers = [
        client(fun() -> corfu_client:write(Service, Layout, Value) end)
     || Value <- [one, two]
    ],
    Reader = client(fun() -> read_twice(Reading, Service, Layout) end),
    Repairer = client(fun() -> corfu_repair:run(Service, Plan) end),

    Written = [result(Writer) || Writer <- Writers],
    Read = result(Reader),
    Final = result(Repairer),

    at_most_one_succeeds(Written),
    never_back_in_time(Read),
    one_value_in_front(Final),
    corfu_layout:stop(Service),
    lists:foreach(fun corfu_log:stop/1, Healthy ++ [Repaired]).

client(Work) ->
    Coordinator = self(),
    spawn_link(fun() -> Coordinator ! {done, self(), Work()} end).

result(Client) ->
    receive
        {done, Client, Result} -> Result
    end.

read_twice(Reading, Service, Layout) ->
    case {corfu_client:read(Service, Layout), Reading} of
        {First = {ok, _}, _} -> {First, corfu_client:read(Service, Layout)};
        {First, twice} -> {First, corfu_client:read(Service, Layout)};
        {First, conditional} -> {First, not_tried}
    end.

%% Immutability, as the writers see it.
at_most_one_succeeds(Results) ->
    ?assert(length([ok || ok <- Results]) =< 1).

%% Linearizability, and immutability as the reader sees it: what was read once
%% is read again, unless the reader starves.
never_back_in_time({{ok, Value}, Second}) when Second =/= starved ->
    ?assertEqual({ok, Value}, Second);
never_back_in_time(_) ->
    ok.

%% The log is left consistent: one value, on a first part of the chain.
one_value_in_front(#layout{chain = Chain}) ->
    Contents = [corfu_log:content(Place) || Place <- Chain],
    Written = lists:takewhile(fun(Content) -> Content =/= not_written end, Contents),
    ?assertEqual([hd(Written) || _ <- Written], Written),
    ?assertEqual(Written, [Content || Content <- Contents, Content =/= not_written]).
