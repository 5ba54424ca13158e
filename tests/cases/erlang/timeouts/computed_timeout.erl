%! run: computed_timeout:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 16, transitions = 23, depth = 5
%! stateless(optimal): holds, interleavings = 4
%% The timeout is an expression; zero when the patience is used up.
-module(computed_timeout).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Self = self(),
    spawn(fun() -> Self ! late end),
    N = patience(2, 0),
    ?assert(N =< 3).

patience(Left, Tries) ->
    receive late -> Tries
    after 100 * Left ->
        case Left of
            0 -> Tries + 1;
            _ -> patience(Left - 1, Tries + 1)
        end
    end.
