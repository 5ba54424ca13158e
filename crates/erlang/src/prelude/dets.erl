%% Tables on disk: a public ets table that a process of its own holds while the table is open, read from a file in memory when
%% it is opened and written back by `sync` and `close`. How a real file looks inside is not modelled.
-module(dets).
-export([open_file/1, open_file/2, close/1, sync/1, insert/2, insert_new/2, lookup/2, member/2, delete/2, delete_object/2,
         delete_all_objects/1, match/2, match_object/2, match_delete/2, select/2, select_delete/2, foldl/3, foldr/3,
         traverse/2, first/1, next/2, to_ets/2, from_ets/2, update_counter/3, info/1, info/2, all/0, is_dets_file/1]).

-define(MARK, foresee_dets).

open_file(File) -> open_file(File, [{file, File}]).
open_file(Name, Options) ->
    case persistent_term:get({?MARK, Name}, none) of
        {_, _, _, N} = Open ->
            persistent_term:put({?MARK, Name}, setelement(4, Open, N + 1)),
            {ok, Name};
        none ->
            File = proplists:get_value(file, Options, Name),
            Type = proplists:get_value(type, Options, set),
            case {contents(File), filelib:is_dir(filename:dirname(File))} of
                {{error, {file_error, Reason}}, _} -> {error, {file_error, File, Reason}};
                {{error, Reason}, _} -> {error, {Reason, File}};
                {_, false} -> {error, {file_error, File, enoent}};
                {Objects, true} ->
                    {Holder, Table} = held(Type, Objects),
                    persistent_term:put({?MARK, Name}, {Table, File, Holder, 1}),
                    persistent_term:put({?MARK, '$all'}, [Name | all()]),
                    save(Table, File),
                    {ok, Name}
            end
    end.

contents(File) ->
    case file:read_file(File) of
        {error, enoent} -> [];
        {error, Reason} -> {error, {file_error, Reason}};
        {ok, Bytes} ->
            try binary_to_term(Bytes) of
                {?MARK, Objects} -> Objects;
                _ -> {error, not_a_dets_file}
            catch error:badarg -> {error, not_a_dets_file}
            end
    end.

held(Type, Objects) ->
    Starter = self(),
    Holder = spawn(fun() ->
                       Table = ets:new(?MARK, [Type, public]),
                       ets:insert(Table, Objects),
                       Starter ! {self(), Table},
                       receive close -> ok end
                   end),
    receive {Holder, Table} -> {Holder, Table} end.

save(Table, File) -> ok = file:write_file(File, term_to_binary({?MARK, ets:tab2list(Table)})).

table(Name) ->
    case persistent_term:get({?MARK, Name}, none) of
        {Table, _, _, _} -> Table;
        none -> error(badarg)
    end.

sync(Name) ->
    case persistent_term:get({?MARK, Name}, none) of
        {Table, File, _, _} -> save(Table, File);
        none -> {error, not_owner}
    end.

close(Name) ->
    case persistent_term:get({?MARK, Name}, none) of
        {Table, File, Holder, 1} ->
            save(Table, File),
            persistent_term:erase({?MARK, Name}),
            persistent_term:put({?MARK, '$all'}, lists:delete(Name, all())),
            Ref = monitor(process, Holder),
            Holder ! close,
            receive {'DOWN', Ref, process, _, _} -> ok end;
        {_, _, _, N} = Open -> persistent_term:put({?MARK, Name}, setelement(4, Open, N - 1));
        none -> {error, not_owner}
    end.

all() -> persistent_term:get({?MARK, '$all'}, []).

is_dets_file(File) ->
    case contents(File) of
        {error, {file_error, Reason}} -> {error, {file_error, File, Reason}};
        {error, _} -> false;
        _ -> filelib:is_regular(File) orelse {error, {file_error, File, enoent}}
    end.

done(_) -> ok.

insert(Name, Objects) -> done(ets:insert(table(Name), Objects)).
insert_new(Name, Objects) -> ets:insert_new(table(Name), Objects).
lookup(Name, Key) -> ets:lookup(table(Name), Key).
member(Name, Key) -> ets:member(table(Name), Key).
delete(Name, Key) -> done(ets:delete(table(Name), Key)).
delete_object(Name, Object) -> done(ets:delete_object(table(Name), Object)).
delete_all_objects(Name) -> done(ets:delete_all_objects(table(Name))).
match(Name, Pattern) -> ets:match(table(Name), Pattern).
match_object(Name, Pattern) -> ets:match_object(table(Name), Pattern).
match_delete(Name, Pattern) -> done(ets:match_delete(table(Name), Pattern)).
select(Name, Specification) -> ets:select(table(Name), Specification).
select_delete(Name, Specification) -> ets:select_delete(table(Name), Specification).
foldl(F, Start, Name) -> lists:foldl(F, Start, ets:tab2list(table(Name))).
foldr(F, Start, Name) -> lists:foldr(F, Start, ets:tab2list(table(Name))).
first(Name) -> ets:first(table(Name)).
next(Name, Key) -> ets:next(table(Name), Key).
update_counter(Name, Key, Increment) -> ets:update_counter(table(Name), Key, Increment).

traverse(Name, F) -> traversed(ets:tab2list(table(Name)), F, []).
traversed([Object | Rest], F, Values) ->
    case F(Object) of
        continue -> traversed(Rest, F, Values);
        {continue, Value} -> traversed(Rest, F, [Value | Values]);
        {done, Value} -> [Value | Values];
        Other -> Other
    end;
traversed([], _, Values) -> Values.

to_ets(Name, Table) ->
    ets:insert(Table, ets:tab2list(table(Name))),
    Table.
from_ets(Name, Table) ->
    ets:delete_all_objects(table(Name)),
    done(ets:insert(table(Name), ets:tab2list(Table))).

info(Name) ->
    case persistent_term:get({?MARK, Name}, none) of
        none -> undefined;
        _ -> [{Key, info(Name, Key)} || Key <- [type, keypos, size, filename]]
    end.
info(Name, Key) ->
    case persistent_term:get({?MARK, Name}, none) of
        none -> undefined;
        {_, File, _, _} when Key =:= filename -> File;
        {Table, _, _, _} when Key =:= size; Key =:= no_objects; Key =:= no_keys -> ets:info(Table, size);
        {Table, _, _, _} when Key =:= type; Key =:= keypos -> ets:info(Table, Key);
        _ -> undefined
    end.
