-module(all).
-export([f/1]).
f(X) ->
    Y = case X of {a, [H | T]} when is_list(T) -> H; #{k := V} -> V; <<A:8, B/binary>> -> {A, B}; _ -> "str" ++ 'at om' end,
    try g(Y) of ok -> 1.5e3; 16#ff -> $a after ok end,
    receive {msg, M} -> M; stop -> exit(normal) after 1000 -> timeout end,
    F = fun Loop(0) -> []; Loop(N) -> [N | Loop(N - 1)] end,
    if X == Y -> begin F(3), ok end; true -> catch throw(x) end,
    << <<Z>> || <<Z>> <= <<1, 2, 3>> >>,
    #{a => 1, b => fun erlang:self/0, c => not (X andalso Y)}.
g(_) -> ok.
