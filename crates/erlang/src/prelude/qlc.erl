%% Queries, evaluated when they are asked for. `qlc:q` of a comprehension is compiled to a fun that gives the list; what its
%% generators draw from may be lists, tables and other queries.
-module(qlc).
-export([q/1, q/2, foresee_q/1, foresee_q/2, foresee_elements/1, e/1, e/2, eval/1, eval/2, fold/3, fold/4, table/2,
         append/1, append/2, sort/1, sort/2, keysort/2, keysort/3, cursor/1, cursor/2, next_answers/1,
         next_answers/2, delete_cursor/1]).

q(_) -> error(no_parse_transform).
q(_, _) -> error(no_parse_transform).

foresee_q(List) -> foresee_q(List, []).
foresee_q(List, Options) -> {qlc_handle, List, is_unique(Options)}.

is_unique(Options) when is_list(Options) ->
    proplists:get_bool(unique, Options) orelse proplists:get_bool(unique_all, Options);
is_unique(Option) -> is_unique([Option]).

e(Query) -> foresee_elements(Query).
e(Query, Options) ->
    case is_unique(Options) of
        true -> without_doubles(foresee_elements(Query));
        false -> foresee_elements(Query)
    end.
eval(Query) -> e(Query).
eval(Query, Options) -> e(Query, Options).

fold(Fun, Start, Query) -> lists:foldl(Fun, Start, e(Query)).
fold(Fun, Start, Query, Options) -> lists:foldl(Fun, Start, e(Query, Options)).

table(Traverse, Options) -> {qlc_table, Traverse, Options}.
append(Queries) -> {qlc_handle, fun() -> lists:append([foresee_elements(Query) || Query <- Queries]) end, false}.
append(One, Other) -> append([One, Other]).
sort(Query) -> {qlc_handle, fun() -> lists:sort(foresee_elements(Query)) end, false}.
sort(Query, _) -> sort(Query).
keysort(Key, Query) -> {qlc_handle, fun() -> lists:keysort(Key, foresee_elements(Query)) end, false}.
keysort(Key, Query, _) -> keysort(Key, Query).

foresee_elements({qlc_handle, List, IsUnique}) ->
    Elements = List(),
    case IsUnique of
        true -> without_doubles(Elements);
        false -> Elements
    end;
foresee_elements({qlc_table, Traverse, Options}) ->
    {Before, After} = {proplists:get_value(pre_fun, Options), proplists:get_value(post_fun, Options)},
    is_function(Before) andalso Before([]),
    Elements = case is_function(Traverse, 1) of
                   true -> objects(Traverse([{'$1', [], ['$1']}]));
                   false -> objects(Traverse())
               end,
    is_function(After) andalso After(),
    Elements;
foresee_elements(List) when is_list(List) -> List;
foresee_elements(Other) -> error(badarg, [Other]).

objects([Object | Rest]) -> [Object | objects(Rest)];
objects([]) -> [];
objects(More) when is_function(More, 0) -> objects(More());
objects(Wrong) -> exit(Wrong).

without_doubles(Elements) -> without_doubles(Elements, #{}).
without_doubles([First | Rest], Seen) when is_map_key(First, Seen) -> without_doubles(Rest, Seen);
without_doubles([First | Rest], Seen) -> [First | without_doubles(Rest, Seen#{First => true})];
without_doubles([], _) -> [].

%% A cursor is a process that keeps what is left.
cursor(Query) -> cursor(Query, []).
cursor(Query, _) ->
    Elements = e(Query),
    {qlc_cursor, spawn_link(fun() -> rest(Elements) end)}.

rest(Elements) ->
    receive
        {next, From, N} ->
            {Now, Later} = taken(N, Elements),
            From ! {self(), Now},
            rest(Later);
        {delete, From} ->
            unlink(From),
            From ! {self(), deleted}
    end.

taken(all_remaining, Elements) -> {Elements, []};
taken(N, Elements) -> lists:split(min(N, length(Elements)), Elements).

next_answers(Cursor) -> next_answers(Cursor, 10).
next_answers({qlc_cursor, Pid}, N) ->
    Pid ! {next, self(), N},
    receive {Pid, Now} -> Now end.
delete_cursor({qlc_cursor, Pid}) ->
    Pid ! {delete, self()},
    receive {Pid, deleted} -> ok end.
