-module(funs).
f(M, F, A) ->
    fun f/3, fun lists:map/2, fun M:F/A, fun m:F/1,
    fun() -> ok end,
    fun(X) when X > 1; X < 0, is_integer(X) -> X; (_) -> 0 end,
    fun Loop(0) -> ok; Loop(N) -> Loop(N - 1) end,
    (fun(X) -> X end)(1),
    M:F(A), lists:map(F, A), F(A), (M:F)(A), m:F(1), M:f(1).
