%! run: siblings_through_the_parent:test/0
%! verdict: holds
%! stateful(bfs): holds, states = 71, transitions = 130, depth = 16
%! stateless(optimal): holds, interleavings = 2
%% One worker's exit takes its sibling along by way of the parent they are both linked to.
-module(siblings_through_the_parent).
-export([test/0]).
-include_lib("stdlib/include/assert.hrl").
-concuerror_options([{treat_as_normal, quit}]).

test() ->
    Self = self(),
    {_, Ref} = spawn_monitor(fun() ->
        {S, _} = spawn_opt(fun() -> receive never -> ok end end, [link, monitor]),
        Self ! {sibling, S},
        spawn_link(fun() -> exit(quit) end),
        receive never -> ok end
    end),
    Sibling = receive {sibling, S} -> S; {'DOWN', Ref, process, _, quit} -> none end,
    case Sibling of
        none -> ok;
        _ ->
            Watch = monitor(process, Sibling),
            receive {'DOWN', Watch, process, Sibling, R} -> ?assert(lists:member(R, [quit, noproc])) end
    end.
