%% What clients do: replication is theirs, since servers do not talk to each
%% other. A write visits the whole chain from its head; a read asks the tail.
%% Who meets another epoch asks for the layout and starts again, a few times.
-module(corfu_client).

-export([read/2, write/3]).

-include("corfu.hrl").

%% More than there are changes of layout in a repair.
-define(ATTEMPTS, 3).

%% {ok, Value} | not_written | starved
read(Service, Layout) ->
    read(Service, Layout, ?ATTEMPTS).

read(_, _, 0) ->
    starved;
read(Service, #layout{epoch = Epoch, tail = Tail}, Attempts) ->
    case corfu_log:read(Tail, Epoch) of
        {wrong_epoch, _} -> read(Service, corfu_layout:current(Service), Attempts - 1);
        Answer -> Answer
    end.

%% ok | written | starved
write(Service, Layout, Value) ->
    write(Service, Layout, Value, ?ATTEMPTS).

write(_, _, _, 0) ->
    starved;
write(Service, #layout{epoch = Epoch, chain = Chain}, Value, Attempts) ->
    case along(Chain, Epoch, Value) of
        {wrong_epoch, _} -> write(Service, corfu_layout:current(Service), Value, Attempts - 1);
        Answer -> Answer
    end.

along([], _, _) ->
    ok;
along([Place | Rest], Epoch, Value) ->
    case corfu_log:write(Place, Epoch, Value) of
        ok -> along(Rest, Epoch, Value);
        Refusal -> Refusal
    end.
