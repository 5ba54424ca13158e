%% The reasons of run-time errors.
-module(error_reasons).
-export([main/0]).

main() ->
    Fs = [fun() -> id(1) + a end, fun() -> id(1) div 0 end, fun() -> hd(id([])) end, fun() -> {a} = id(b) end,
          fun() -> case id(1) of 2 -> ok end end, fun() -> X = id(1), if X > 1 -> ok end end, fun() -> g(id(0)) end,
          fun() -> (id(notfun))() end, fun() -> (id(fun(_) -> ok end))() end, fun() -> (id(m)):f(1) end,
          fun() -> lists:nth(0, [a]) end, fun() -> element(3, id({a})) end, fun() -> atom_to_list(id(1)) end,
          fun() -> maps:get(k, #{}) end, fun() -> (id(#{}))#{k := v} end, fun() -> (id(a))#{k => v} end,
          fun() -> list_to_integer("x") end, fun() -> <<(id(a)):8>> end, fun() -> length(id([a | b])) end,
          fun() -> id(a) andalso true end, fun() -> [X || X <- id(a)] end, fun() -> binary_to_atom(id(a)) end,
          fun() -> exit(id(notapid), kill) end, fun() -> self() ! ok, receive no -> 1 after id(a) -> 2 end end,
          fun() -> try id(1) of 2 -> ok after ok end end, fun() -> spawn(a, b, c) end, fun() -> ets:lookup(nono, 1) end],
    [p(try F() catch C:R -> {C, clean(R)} end) || F <- Fs],
    flush().

flush() -> receive _ -> flush() after 0 -> ok end.
clean({badarity, {F, A}}) -> {badarity, is_function(F), A};
clean(R) -> R.
id(X) -> X.
g(N) when N > 0 -> N.

p(X) -> io:format("~p~n", [X]).
