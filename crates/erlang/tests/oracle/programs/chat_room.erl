%% Members join, talk and leave; those who crash are removed.
-module(chat_room).
-export([main/0]).

main() ->
    process_flag(trap_exit, true),
    Room = spawn_link(fun() -> process_flag(trap_exit, true), room(#{}) end),
    ok = join(Room, main),
    Bot = spawn(fun() -> ok = join(Room, bot), receive crash -> exit(broken) end end),
    receive {room, joined, bot} -> p(bot_joined) end,
    Room ! {say, self(), "hi"},
    receive {room, said, Who, Text} -> p({Who, Text}) end,
    Bot ! crash,
    receive {room, left, Name, Why} -> p({left, Name, Why}) end,
    Room ! {members, self()},
    receive {members, Ms} -> p(Ms) end,
    exit(Room, kill),
    receive {'EXIT', Room, R} -> p(R) end.

join(Room, Name) -> Room ! {join, self(), Name}, receive {Room, ok} -> ok end.

room(Members) ->
    receive
        {join, P, Name} ->
            link(P), P ! {self(), ok}, tell(Members, {room, joined, Name}), room(Members#{P => Name});
        {say, P, Text} -> tell(Members, {room, said, maps:get(P, Members), Text}), room(Members);
        {members, P} -> P ! {members, lists:sort(maps:values(Members))}, room(Members);
        {'EXIT', P, R} when is_map_key(P, Members) ->
            {Name, Rest} = maps:take(P, Members), tell(Rest, {room, left, Name, R}), room(Rest)
    end.

tell(Members, M) -> [P ! M || P <- maps:keys(Members)].

p(X) -> io:format("~p~n", [X]).
