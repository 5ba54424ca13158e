%! run: three_killers:test/0
%! verdict: holds
%! stateless(optimal): holds, interleavings = 3
%% Three signals with three reasons: the first one decides, and the order of the others is nothing to anybody. So there are
%% as many runs as reasons.
-module(three_killers).
-export([test/0]).
-foresee_options([{treat_as_normal, [red, green, blue]}]).

test() ->
    {Victim, Ref} = spawn_monitor(fun() -> receive after infinity -> ok end end),
    [spawn(fun() -> exit(Victim, Reason) end) || Reason <- [red, green, blue]],
    receive {'DOWN', Ref, process, Victim, Reason} -> true = lists:member(Reason, [red, green, blue]) end.
