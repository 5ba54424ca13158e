-module(control).
f(X) ->
    begin 1, 2 end,
    if X > 1 -> a; X =:= 0, X < 2; true -> b end,
    case X of 1 -> a; Y when Y > 2 -> Y; {_, _} = T -> T end,
    receive {a, B} -> B; c -> d after 100 -> timeout end,
    receive after infinity -> ok end,
    receive M -> M end,
    try X, X + 1 of 1 -> one; _ -> other
    catch throw:E -> E; error:badarg:S when X -> S; C:R -> {C, R}; T2 -> T2
    after cleanup(), done end,
    try X after ok end,
    try X catch _:_ -> ok end.
cleanup() -> ok.
