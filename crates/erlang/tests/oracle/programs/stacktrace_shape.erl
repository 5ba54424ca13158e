%% Stack traces name module, function and arity.
-module(stacktrace_shape).
-export([main/0]).
-export([f/1]).

main() ->
    try f(x) catch error:_:S1 -> {M, F, A, Info} = hd(S1), p({M, F, A, is_list(Info)}) end,
    try apply(?MODULE, f, [y]) catch error:E:_ -> p(E) end,
    try erlang:raise(error, again, [{m, f, 1, []}]) catch error:again:S2 -> p(is_list(S2)) end,
    try lists:reverse(oops) catch error:R:S3 -> {M3, F3, _, _} = hd(S3), p({R, M3, F3}) end.

f(1) -> one.

p(X) -> io:format("~p~n", [X]).
