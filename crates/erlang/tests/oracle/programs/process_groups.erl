%% Process groups of one node: who joins and leaves, who dies, who is told.
-module(process_groups).
-export([main/0]).
main() ->
    {ok, S} = pg:start_link(),
    p(is_pid(S)), p(pg:start_link(other) =/= x),
    p(pg:which_groups()), p(pg:get_members(none)), p(pg:join(a, self())), p(pg:join(a, self())), p(length(pg:get_members(a))),
    Me = self(),
    Ps = [spawn(fun() -> receive stop -> ok end end) || _ <- [1, 2, 3]],
    p(pg:join(b, Ps)), p(pg:get_members(b) =:= Ps), p(pg:get_local_members(b) =:= Ps), p(lists:sort(pg:which_groups())), p(lists:sort(pg:which_local_groups())),
    p(pg:leave(a, self())), p(pg:get_members(a) =:= [Me]), p(pg:leave(a, self())), p(pg:leave(a, self())), p(pg:get_members(a)), p(pg:leave(zz, Ps)),
    {Ref, Groups} = pg:monitor_scope(), p(is_reference(Ref)), p(maps:keys(Groups)),
    {Ref2, Members} = pg:monitor(b), p(length(Members)),
    hd(Ps) ! stop, p(got(Ref, hd(Ps))), p(got(Ref2, hd(Ps))), p(length(pg:get_members(b))),
    pg:join(c, self()), p(receive {Ref, join, c, [Me]} -> told after 1000 -> silent end),
    p(pg:demonitor(Ref2)), p(pg:demonitor(Ref2)), p(pg:demonitor(make_ref())),
    pg:join(b, Me), p(receive {Ref2, _, _, _} -> told after 50 -> silent end),
    p(catch pg:join(b, [x])), p(catch pg:join(b, x)), p(pg:join(b, [])), p(pg:leave(b, [])), p(pg:leave(b, [Me, Me])), p(length(pg:get_members(b))),
    p(pg:join(other, g, Me)), p(pg:which_groups(other)), p(pg:get_members(other, g) =:= [Me]),
    p(catch pg:which_groups(no_scope)), p(pg:get_members(no_scope, g)), p(element(1, element(2, catch pg:join(no_scope, g, Me)))),
    p(lists:last(pg:get_members(b)) =:= lists:last(Ps)), pg:join(d, [Me, hd(tl(Ps))]), p(pg:get_members(d) =:= [Me, hd(tl(Ps))]),
    pg:join(d, lists:last(Ps)), p(hd(pg:get_members(d)) =:= lists:last(Ps)),
    {ok, T} = pg:start(third), pg:join(third, g, Me), p(pg:get_local_members(third, g) =:= [Me]), p(pg:which_local_groups(third)),
    {Ref3, All} = pg:monitor_scope(third), p(All =:= #{g => [Me]}), {Ref4, [Me]} = pg:monitor(third, g),
    p(pg:leave(third, g, Me)), p(receive {Ref3, leave, g, [Me]} -> told after 1000 -> silent end),
    p(pg:demonitor(third, Ref4)), p(receive {Ref4, _, _, _} -> told after 0 -> silent end), p(pg:demonitor(third, Ref3)),
    gen_server:stop(T), gen_server:stop(other), gen_server:stop(pg), p(whereis(pg)), p(pg:get_members(b)).
got(Ref, Pid) -> receive {Ref, leave, b, [Pid]} -> left after 1000 -> silent end.
p({'EXIT', {Reason, _}}) -> p(Reason);
p(X) -> io:format("~p~n", [X]).
