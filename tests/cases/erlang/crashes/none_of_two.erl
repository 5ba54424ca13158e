%! run: none_of_two:test/0
%! crash: replica_*
%! crashes-max: 2
%! verdict: deadlock
%% The same as one_of_two with two crashes: nobody is left to answer.
-module(none_of_two).
-export([test/0]).

test() ->
    Self = self(),
    Replicas = [spawn(fun() -> replica(Self, Name) end) || Name <- [replica_1, replica_2]],
    [Replica ! {read, Self} || Replica <- Replicas],
    receive {value, 42} -> ok end.

replica(_, Name) ->
    receive
        {read, Client} ->
            register(Name, self()),
            Client ! {value, 42}
    end.
