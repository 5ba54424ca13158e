%! run: infinity_waits:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 8, transitions = 9, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% after infinity never fires: as good as no timeout.
-module(infinity_waits).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> Self ! hello end),
    receive hello -> ok after infinity -> error(never) end.
