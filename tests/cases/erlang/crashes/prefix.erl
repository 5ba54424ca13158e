%! run: prefix:test/0
%! crash: teller
%! verdict: holds
%! stateless(optimal): holds, interleavings = 6
%% A process that tells 1, 2, 3 may die before each: what was heard is a beginning of that.
%% Six runs: crashes cease before it comes to one; it dies before each of three; its crash comes too late, before or after its exit.
-module(prefix).
-export([test/0]).

test() ->
    Self = self(),
    {_, Ref} = spawn_monitor(fun() ->
        register(teller, self()),
        [Self ! N || N <- [1, 2, 3]]
    end),
    Heard = hear(Ref),
    true = lists:prefix(Heard, [1, 2, 3]).

hear(Ref) ->
    receive
        N when is_integer(N) -> [N | hear(Ref)];
        {'DOWN', Ref, process, _, _} -> []
    end.
