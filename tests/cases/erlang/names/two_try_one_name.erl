%! run: two_try_one_name:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 77, transitions = 130, depth = 14
%! stateless(optimal): holds, interleavings = 4
%% The same contest where losing is handled.
-module(two_try_one_name).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    [spawn(fun() ->
        R = try register(king, self()) catch error:badarg -> false end,
        Self ! {crowned, R},
        case R of true -> receive abdicate -> ok end; false -> ok end
    end) || _ <- [1, 2]],
    A = receive {crowned, X} -> X end,
    B = receive {crowned, Y} -> Y end,
    ?assertEqual([false, true], lists:sort([A, B])),
    king ! abdicate,
    ok.
