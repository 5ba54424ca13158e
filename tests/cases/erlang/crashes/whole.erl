%! run: whole:test/0
%! crash: teller
%! verdict: abnormal_exit
%% The same as prefix, where all three are expected.
-module(whole).
-export([test/0]).

test() ->
    Self = self(),
    {_, Ref} = spawn_monitor(fun() ->
        register(teller, self()),
        [Self ! N || N <- [1, 2, 3]]
    end),
    [1, 2, 3] = hear(Ref).

hear(Ref) ->
    receive
        N when is_integer(N) -> [N | hear(Ref)];
        {'DOWN', Ref, process, _, _} -> []
    end.
