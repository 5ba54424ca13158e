%! run: exit_or_message:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 12, transitions = 13, depth = 9
%! stateless(optimal): holds, interleavings = 1
%% A trapped exit is a message like any other; both orders are handled.
-module(exit_or_message).
-export([test/0]).
-concuerror_options([{treat_as_normal, bye}]).

test() ->
    process_flag(trap_exit, true),
    Main = self(),
    spawn_link(fun() -> Main ! hello, exit(bye) end),
    receive hello -> ok end,
    receive {'EXIT', _, bye} -> ok end.
