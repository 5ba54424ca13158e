%% A lock for many readers or one writer.
-module(rooms).
-behaviour(gen_server).
-export([start_link/0, init/1, handle_call/3, handle_cast/2, handle_info/2]).

-record(room, {readers = [] :: list(), writer = none, queue = []}).

start_link() ->
    gen_server:start_link({local, rooms}, ?MODULE, [], []).

init(_) ->
    process_flag(trap_exit, true),
    {ok, #room{}}.

handle_call({enter, How}, From = {Pid, _}, Room) ->
    link(Pid),
    {noreply, admit(Room#room{queue = Room#room.queue ++ [{How, From}]})};
handle_call(leave, {Pid, _}, Room) ->
    {reply, ok, admit(gone(Pid, Room))}.

handle_cast(_, Room) ->
    {noreply, Room}.

handle_info({'EXIT', Pid, _}, Room) ->
    Queue = [Entry || Entry = {_, {P, _}} <- Room#room.queue, P /= Pid],
    {noreply, admit((gone(Pid, Room))#room{queue = Queue})}.

gone(Pid, Room = #room{writer = Pid}) ->
    Room#room{writer = none};
gone(Pid, Room = #room{readers = Readers}) ->
    Room#room{readers = lists:delete(Pid, Readers)}.

admit(Room = #room{queue = []}) ->
    Room;
admit(Room = #room{readers = Readers, writer = Writer, queue = [{How, From = {Pid, _}} | Queue]}) ->
    case How of
        read when Writer =:= none ->
            gen_server:reply(From, ok),
            admit(Room#room{readers = [Pid | Readers], queue = Queue});
        write when Writer =:= none andalso Readers =:= [] ->
            gen_server:reply(From, ok),
            Room#room{writer = Pid, queue = Queue};
        _ ->
            Room
    end.
