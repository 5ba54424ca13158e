%! run: name_contest_handled:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 99, transitions = 175, depth = 19
%! stateless(optimal): holds, interleavings = 4
%% Whoever loses the contest for the table's name uses the winner's table, whose owner stays.
-module(name_contest_handled).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Pids = [spawn(fun() ->
        try ets:new(single, [named_table, public]) catch error:badarg -> single end,
        ets:insert(single, {self()}),
        Self ! done,
        receive stop -> ok end
    end) || _ <- [1, 2]],
    [receive done -> ok end || _ <- [1, 2]],
    ?assertEqual(2, ets:info(single, size)),
    [P ! stop || P <- Pids].
