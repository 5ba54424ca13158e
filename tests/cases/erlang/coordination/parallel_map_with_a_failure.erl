%! run: parallel_map_with_a_failure:test/0
%! verdict: abnormal_exit
%% One of the functions fails, and the caller, linked to it, goes with it.
-module(parallel_map_with_a_failure).
-export([test/0]).

test() ->
    pmap(fun(N) -> 10 div N end, [1, 0]).

pmap(F, L) ->
    Self = self(),
    Refs = [begin R = make_ref(), spawn_link(fun() -> Self ! {R, F(X)} end), R end || X <- L],
    [receive {R, Y} -> Y end || R <- Refs].
