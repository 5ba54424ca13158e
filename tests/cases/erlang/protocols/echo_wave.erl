%! run: echo_wave:test/0
%! verdict: holds
%% A wave through a small tree: the root knows that everybody has been reached.
-module(echo_wave).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").

test() ->
    Leafs = [spawn(fun() -> wave([]) end) || _ <- [1, 2]],
    Inner = spawn(fun() -> wave([hd(Leafs)]) end),
    Root = spawn(fun() -> wave([Inner, lists:last(Leafs)]) end),
    Root ! {probe, self()},
    receive {echo, N} -> ?assertEqual(4, N) end.

wave(Children) ->
    receive {probe, Parent} ->
        [C ! {probe, self()} || C <- Children],
        Parent ! {echo, 1 + lists:sum([receive {echo, N} -> N end || _ <- Children])}
    end.
