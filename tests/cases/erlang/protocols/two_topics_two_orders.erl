%! run: two_topics_two_orders:test/0
%! verdict: assertion
%% Two subscribers of two publishers may see the news in different orders.
-module(two_topics_two_orders).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    Subs = [spawn(fun() -> L = [receive {news, N} -> N end || _ <- [1, 2]], Self ! {order, L} end) || _ <- [1, 2]],
    [spawn(fun() -> [S ! {news, N} || S <- Subs] end) || N <- [1, 2]],
    [A, B] = [receive {order, L} -> L end || _ <- Subs],
    ?assertEqual(A, B).
