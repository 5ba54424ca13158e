%% Bringing a server back into the chain while clients go on working.
%%
%% Two changes of layout with a copy in between: first writes also reach the
%% server under repair while reads still pass it by; then the one entry is
%% copied to it from the tail; then it takes its final place.
-module(corfu_repair).

-export([plan/4, run/2]).

-include("corfu.hrl").

-record(plan, {during, finally, healthy, repaired}).

%% How the chain of the healthy servers grows by the repaired one. The layout
%% that is in force before the repair, and the plan.
plan(tail, Healthy, Repaired, Epoch) ->
    Old = whole(Healthy),
    New = whole([Repaired]),
    plan(Old, lists:last(Old), Old ++ New, hd(New), Healthy, Repaired, Epoch);
plan(head, Healthy, Repaired, Epoch) ->
    Old = whole(Healthy),
    Tail = lists:last(Old),
    plan(Old, Tail, whole([Repaired]) ++ Old, Tail, Healthy, Repaired, Epoch);
plan(middle, [Only], Repaired, Epoch) ->
    %% No middle in a chain of one: the server becomes two logical ones.
    Tail = #place{server = Only, part = tail},
    Chain = [#place{server = Only, part = head}, #place{server = Repaired}, Tail],
    plan(whole([Only]), Tail, Chain, Tail, [Only], Repaired, Epoch);
plan(middle, Healthy, Repaired, Epoch) ->
    Old = whole(Healthy),
    Tail = lists:last(Old),
    Chain = lists:droplast(Old) ++ whole([Repaired]) ++ [Tail],
    plan(Old, Tail, Chain, Tail, Healthy, Repaired, Epoch).

plan(Old, OldTail, Chain, NewTail, Healthy, Repaired, Epoch) ->
    Before = #layout{epoch = Epoch, chain = Old, tail = lists:last(Old)},
    Plan = #plan{
        during = #layout{epoch = Epoch + 1, chain = Chain, tail = OldTail},
        finally = #layout{epoch = Epoch + 2, chain = Chain, tail = NewTail},
        healthy = Healthy,
        repaired = Repaired
    },
    {Before, Plan}.

whole(Servers) ->
    [#place{server = Server} || Server <- Servers].

%% The final layout, once it is in force.
run(Service, Plan = #plan{during = During, finally = Finally}) ->
    change(Service, Plan, During),
    copy(Plan, During),
    change(Service, Plan, Finally),
    Finally.

change(Service, #plan{healthy = Healthy, repaired = Repaired}, Layout = #layout{epoch = Epoch}) ->
    ok = corfu_layout:change(Service, Layout),
    [ok = corfu_log:enter(Server, Epoch) || Server <- Healthy ++ [Repaired]],
    ok.

copy(#plan{repaired = Repaired}, #layout{epoch = Epoch, tail = Tail}) ->
    case corfu_log:read(Tail, Epoch) of
        {ok, Value} -> corfu_log:write(#place{server = Repaired}, Epoch, Value);
        not_written -> nothing_to_copy
    end.
