%% Functions of ets that call funs. The others are built in.
-module(ets).
-export([foldl/3, foldr/3, init_table/2, from_dets/2, i/0, table/1, table/2, slot/2]).

foldl(F, Acc, Table) -> lists:foldl(F, Acc, ets:tab2list(Table)).

foldr(F, Acc, Table) -> lists:foldr(F, Acc, ets:tab2list(Table)).

init_table(Table, F) ->
    ets:delete_all_objects(Table),
    init_more(Table, F, F(read)).

init_more(_, F, end_of_input) -> F(close), true;
init_more(Table, _, {Objects, F}) ->
    ets:insert(Table, Objects),
    init_more(Table, F, F(read)).

from_dets(_, _) -> erlang:error(undef).

i() -> ok.

%% As qlc has tables.
table(Table) -> table(Table, []).
table(Table, _) -> {qlc_table, fun() -> ets:tab2list(Table) end, []}.

%% Which object stands in which slot is not said in OTP either, but for ordered sets: there each has one.
slot(Table, I) when is_integer(I), I >= 0 ->
    Objects = ets:tab2list(Table),
    Size = length(Objects),
    if
        I < Size -> [lists:nth(I + 1, Objects)];
        I =:= Size -> '$end_of_table';
        true -> error(badarg, [Table, I])
    end;
slot(Table, I) -> error(badarg, [Table, I]).
