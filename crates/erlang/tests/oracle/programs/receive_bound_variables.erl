%% Bound variables in receive patterns compare, new ones bind.
-module(receive_bound_variables).
-export([main/0]).

main() ->
    Ref = make_ref(),
    Wanted = b,
    [self() ! M || M <- [{make_ref(), x}, {Ref, a}, {Ref, b}, {c, Wanted}]],
    receive {Ref, Wanted} -> p(exact) end,
    receive {Ref, Other} -> p(Other) end,
    receive {Key, Wanted} when is_atom(Key) -> p(Key) end,
    receive {R, V} when is_reference(R), R =/= Ref -> p(V) end.

p(X) -> io:format("~p~n", [X]).
