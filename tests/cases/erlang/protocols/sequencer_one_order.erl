%! run: sequencer_one_order:test/0
%! verdict: holds
%% All news goes through one sequencer, so everybody sees one order.
-module(sequencer_one_order).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Subs = [spawn(fun() -> L = [receive {news, N} -> N end || _ <- [1, 2]], Self ! {order, L} end) || _ <- [1, 2]],
    Sequencer = spawn(fun() -> [receive {news, N} -> [S ! {news, N} || S <- Subs] end || _ <- [1, 2]] end),
    [spawn(fun() -> Sequencer ! {news, N} end) || N <- [1, 2]],
    [A, B] = [receive {order, L} -> L end || _ <- Subs],
    ?assertEqual(A, B).
