%! run: shutdown_as_normal:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 11, transitions = 16, depth = 5
%! stateless(optimal): holds, interleavings = 1
%% The same program where the module asks for shutdown to be normal; a tagged shutdown counts as well.
-module(shutdown_as_normal).
-export([test/0]).
-concuerror_options([{treat_as_normal, shutdown}]).

test() ->
    spawn(fun() -> exit(shutdown) end),
    spawn(fun() -> exit({shutdown, done}) end).
