#!/usr/bin/env escript
%% Random calls to the prelude's modules and to Erlang's own, compared.
%% Needs an installed Erlang. Usage: escript differential.escript [-n CALLS] [-s SEED] [-v] [MODULE ...]
%% Each prelude module M is compiled as foresee_M. Containers are made by both sides in parallel from the same
%% random operations and compared through their API, since their inside is not specified. An outcome is a
%% value, or the class and reason of an exception. Prints each kind of difference once with its arguments, and
%% exits with 1 if there is any. Which error a malformed argument gives (function_clause, case_clause, badarg ...)
%% is not specified either, and upstream lets some of them pass: where only that differs, or we refuse what
%% upstream happens to take, it is counted apart and printed with -v.

-mode(compile).

main(Arguments) ->
    {Calls, Seed, Wanted} = options(Arguments, 20000, 1, []),
    logger:set_primary_config(level, none),
    Root = filename:dirname(filename:dirname(filename:dirname(filename:absname(escript:script_name())))),
    Folder = filename:join(Root, "src/prelude"),
    Known = [Name || {Name, _, _, _} <- modules()],
    Names = case Wanted of [] -> Known; _ -> Wanted end,
    Differences = lists:sum([check(Folder, Name, Calls, Seed) || Name <- Names]),
    halt(min(1, Differences)).

options(["-n", N | Rest], _, Seed, Names) -> options(Rest, list_to_integer(N), Seed, Names);
options(["-s", S | Rest], Calls, _, Names) -> options(Rest, Calls, list_to_integer(S), Names);
options(["-v" | Rest], Calls, Seed, Names) -> put(verbose, true), options(Rest, Calls, Seed, Names);
options([Name | Rest], Calls, Seed, Names) -> options(Rest, Calls, Seed, [list_to_atom(Name) | Names]);
options([], Calls, Seed, Names) -> {Calls, Seed, lists:reverse(Names)}.

check(Folder, Name, Calls, Seed) ->
    Ours = load(Folder, Name),
    {Name, Make, View, Rows} = lists:keyfind(Name, 1, modules()),
    missing(Name, Ours, Rows),
    Functions = [Row || {F, Types, _} = Row <- Rows, erlang:function_exported(Ours, F, length(Types))],
    rand:seed(exsss, {Seed, Seed, Seed}),
    put(view, View),
    put(make, Make),
    put(modules, {Name, Ours}),
    Found = loop(Calls, list_to_tuple(Functions), #{}, 0),
    io:format("~-10w ~w calls, ~w functions, ~w exceptions alike, ~w with another reason, ~w kinds of difference~n",
              [Name, Calls, length(Functions), get_count(exceptions), get_count(reasons), map_size(Found)]),
    erase(exceptions),
    erase(reasons),
    map_size(Found).

get_count(Key) -> case get(Key) of undefined -> 0; N -> N end.

load(Folder, Name) ->
    {ok, Text} = file:read_file(filename:join(Folder, atom_to_list(Name) ++ ".erl")),
    Ours = list_to_atom("foresee_" ++ atom_to_list(Name)),
    Old = io_lib:format("-module(~s).", [Name]),
    New = io_lib:format("-module(~s).", [Ours]),
    Renamed = string:replace(Text, iolist_to_binary(Old), iolist_to_binary(New)),
    File = filename:join(temporary(), atom_to_list(Ours) ++ ".erl"),
    ok = file:write_file(File, [string:replace(Renamed, "string:foresee_case(", "foresee_case(", all) | stand_in(Name)]),
    case compile:file(File, [binary, report, nowarn_export_all]) of
        {ok, Ours, Binary} -> {module, Ours} = code:load_binary(Ours, File, Binary);
        Failed -> io:format("~s does not compile: ~p~n", [Name, Failed]), halt(2)
    end,
    Ours.

%% The cases of one letter are native; the oracle's expressions compare them.
stand_in(string) ->
    "\n\nforesee_case(C, Case) ->\n"
    "    F = maps:get(Case, #{upper => uppercase, lower => lowercase, title => titlecase, fold => casefold}),\n"
    "    case string:F([C]) of [One] -> One; Some -> Some end.\n";
stand_in(_) -> "".

temporary() ->
    Folder = filename:join("/tmp", "foresee-prelude-" ++ os:getpid()),
    ok = filelib:ensure_dir(filename:join(Folder, "x")),
    Folder.

%% Functions that upstream exports and we do not, or that no row below calls.
missing(Name, Ours, Functions) ->
    Theirs = [FA || {F, _} = FA <- Name:module_info(exports), F =/= module_info],
    Mine = Ours:module_info(exports),
    Rows = [{F, length(Args)} || {F, Args, _} <- Functions],
    Native = native(Name),
    case (Theirs -- Mine) -- Native of
        [] -> ok;
        Missing -> io:format("~s: not exported: ~w~n", [Name, lists:sort(Missing)])
    end,
    case ((Theirs -- Rows) -- Native) -- untested(Name) of
        [] -> ok;
        Untested -> io:format("~s: no row for ~w~n", [Name, lists:sort(Untested)])
    end.

%% Of these two modules what is not in the text is native; the oracle's expressions compare that.
native(Name) when Name =:= lists; Name =:= maps -> Name:module_info(exports);
native(unicode) -> [{bin_is_7bit, 1}, {characters_to_binary_int, 2}, {characters_to_list_int, 2}];
native(binary) -> [{referenced_byte_size, 1}];
native(_) -> [].

%% An iterator is walked to its end wherever one is given, by next/1.
untested(maps) -> [{next, 1}];
untested(_) -> [].

loop(0, _, Found, _) -> Found;
loop(N, Functions, Found, _) ->
    {F, Types, Shape} = element(rand:uniform(tuple_size(Functions)), Functions),
    put(junk, false),
    Pairs = [pair(F, Type) || Type <- Types],
    {Theirs, Ours} = get(modules),
    Verbose = get(verbose),
    A = outcome(Theirs, F, [X || {X, _} <- Pairs], Shape, 1),
    B = outcome(Ours, F, [Y || {_, Y} <- Pairs], Shape, 2),
    case {A, B} of
        {{raised, _, _}, A} -> put(exceptions, get_count(exceptions) + 1);
        _ -> ok
    end,
    case verdict(Shape, A, B) of
        same -> loop(N - 1, Functions, Found, 0);
        reason when Verbose =/= true -> put(reasons, get_count(reasons) + 1), loop(N - 1, Functions, Found, 0);
        _ ->
            Kind = {F, length(Types), kind(A), kind(B)},
            case maps:is_key(Kind, Found) of
                true -> ok;
                false ->
                    io:format("~w:~w/~w~n  arguments ~0tp~n  theirs    ~0tp~n  ours      ~0tp~n",
                              [Theirs, F, length(Types), [X || {X, _} <- Pairs], A, B])
            end,
            loop(N - 1, Functions, Found#{Kind => true}, 0)
    end.

verdict(_, A, A) -> same;
%% Upstream does not keep the order of elements that compare equal but do not match, such as 1 and 1.0.
verdict(equal, {value, A}, {value, B}) when A == B -> same;
verdict(c, {value, A}, {value, B}) when A == B -> same;
verdict(_, {value, _}, {raised, error, _}) -> case get(junk) of true -> reason; false -> different end;
verdict(_, {raised, endless, _}, _) -> same;
verdict(_, {raised, Class, _}, {raised, Class, _}) -> reason;
verdict(_, _, _) -> different.

kind({raised, Class, Reason}) when is_tuple(Reason), tuple_size(Reason) > 0 -> {Class, element(1, Reason)};
kind({raised, Class, Reason}) -> {Class, Reason};
kind({value, _}) -> value.

%% In a process of its own: with wrong arguments either side may run for ever.
outcome(Module, F, Args, Shape, Side) ->
    Context = {get(modules), get(view)},
    {Pid, Monitor} = spawn_opt(fun() -> exit({outcome, outcome(Module, F, Args, Shape, Side, Context)}) end,
                               [monitor, {max_heap_size, #{size => 20000000, error_logger => false}}]),
    receive
        {'DOWN', Monitor, process, Pid, {outcome, Outcome}} -> Outcome;
        {'DOWN', Monitor, process, Pid, _} -> {raised, endless, F}
    after 2000 ->
        exit(Pid, kill),
        demonitor(Monitor, [flush]),
        {raised, endless, F}
    end.

outcome(Module, F, Args, Shape, Side, {Modules, View}) ->
    put(modules, Modules),
    put(view, View),
    try apply(Module, F, Args) of
        Value -> {value, view(Shape, Value, Side)}
    catch
        Class:Reason -> {raised, Class, Reason}
    end.

%% What is compared of a result: c is a container, seen through its API.
view(plain, Value, _) -> Value;
view(sorted, Value, _) when is_list(Value) -> strict(Value);
view(flat, Value, _) -> flat(Value);
view(loose, Value, _) -> loose(flat(Value));
view(next, [C | Rest], _) -> {C, flat(Rest)};
view({list, Shape}, Value, Side) when is_list(Value) -> [view(Shape, X, Side) || X <- Value];
view({tagged, Shapes}, Value, Side) when is_tuple(Value), tuple_size(Value) =:= length(Shapes) ->
    list_to_tuple([view(S, X, Side) || {S, X} <- lists:zip(Shapes, tuple_to_list(Value))]);
view(c, Value, Side) ->
    Module = element(Side, get(modules)),
    View = get(view),
    View(Module, Value);
view(iterator, Value, Side) ->
    Module = element(Side, get(modules)),
    drain(Module, Module:next(Value));
view(_, Value, _) -> Value.

drain(_, none) -> [];
drain(M, {K, V, I}) -> [{K, V} | drain(M, M:next(I))];
drain(M, {X, I}) -> [X | drain(M, M:next(I))].

%% Sorted so that 1 and 1.0 have one order.
strict(List) when length(List) >= 0 -> [X || {_, X} <- lists:sort([{term_to_binary(X), X} || X <- List])];
strict(Improper) -> Improper.

%% Text of any shape as code points; other terms as they are.
flat(X) when is_binary(X) -> {binary, X};
flat(X) when is_list(X) ->
    try unicode:characters_to_list(X) of
        L when is_list(L) -> {text, L};
        _ -> [flat(Y) || Y <- X]
    catch
        _:_ -> [flat(Y) || Y <- X]
    end;
flat(X) when is_tuple(X) -> list_to_tuple([flat(Y) || Y <- tuple_to_list(X)]);
flat(X) -> X.

%% As flat/1, with binaries and lists alike.
loose({binary, X}) -> {text, unicode:characters_to_list(X)};
loose(X) when is_tuple(X), element(1, X) =/= text -> list_to_tuple([loose(Y) || Y <- tuple_to_list(X)]);
loose(X) when is_list(X) -> [loose(Y) || Y <- X];
loose(X) -> X.

%% An argument for each side; now and then one of the wrong type.
pair(F, Type) ->
    case junk_allowed(F) andalso rand:uniform(25) of
        1 ->
            put(junk, true),
            X = one_of(improper() ++ [foo, -1, 0, 1.5, {x}, {}, [], #{}, <<1:3>>, "zz", {[], []}]),
            {X, X};
        _ -> right(Type)
    end.

%% Text functions are not asked about improper lists: upstream looks at as much of them as it needs.
improper() ->
    case get(modules) of
        {string, _} -> [];
        _ -> [[a | b], [a, b | c]]
    end.

%% Merging what is no list is undefined in more ways than it is worth copying.
junk_allowed(F) -> string:find(atom_to_list(F), "merge") =:= nomatch.

right(c) ->
    Make = get(make),
    {A, B} = get(modules),
    Seed = rand:seed_s(exsss, rand:uniform(1 bsl 40)),
    {Make(A, Seed), Make(B, Seed)};
right(iter) ->
    {A, B} = get(modules),
    {X, Y} = right(c),
    {A:iterator(X), B:iterator(Y)};
right({many, Type}) ->
    Pairs = [right(Type) || _ <- lists:seq(1, rand:uniform(4) - 1)],
    {[X || {X, _} <- Pairs], [Y || {_, Y} <- Pairs]};
right(Type) -> X = gen(Type), {X, X}.

one_of(List) -> lists:nth(rand:uniform(length(List)), List).

gen(elem) ->
    one_of([1, 2, 3, 4, 5, 0, -1, 1.0, 2.0, 2.5, a, b, c, "a", "b", {a, 1}, {1}, <<"x">>, [], {}, #{},
            [1, 2], 1 bsl 70]);
gen(few) -> one_of([1, 2, 3, 1.0, 2.0, a, b]);
gen(int) -> rand:uniform(14) - 4;
gen(nat) -> rand:uniform(9) - 1;
gen(pos) -> rand:uniform(3);
gen(number) -> one_of([1, 2, -3, 0.5, 7]);
gen({list, Type}) -> [gen(Type) || _ <- lists:seq(1, rand:uniform(9) - 1)];
gen({big, Type}) -> [gen(Type) || _ <- lists:seq(1, rand:uniform(60) - 1)];
gen({sorted, Type}) -> lists:sort(gen({list, Type}));
gen({usorted, Type}) -> lists:usort(gen({list, Type}));
gen({rsorted, Type}) -> lists:reverse(lists:sort(gen({list, Type})));
gen({rusorted, Type}) -> lists:reverse(lists:usort(gen({list, Type})));
gen({keysorted, Type}) -> lists:keysort(1, gen({list, Type}));
gen({ukeysorted, Type}) -> lists:ukeysort(1, gen({list, Type}));
gen({rkeysorted, Type}) -> lists:reverse(lists:keysort(1, gen({list, Type})));
gen({rukeysorted, Type}) -> lists:reverse(lists:ukeysort(1, gen({list, Type})));
gen({same, Types}) -> gen(one_of(Types));
gen({tuple, Types}) -> list_to_tuple([gen(T) || T <- Types]);
gen({const, X}) -> X;
gen(deep) -> [case rand:uniform(3) of 1 -> gen(deep); _ -> gen(elem) end || _ <- lists:seq(1, rand:uniform(4) - 1)];
gen(thing) -> one_of([1, 25, a, "str", 1.5, 'A b', []]);
gen(kv) -> {gen(few), gen(elem)};
gen(counter) -> {gen(few), gen(nat)};
gen(kvlist) -> {gen(few), gen({list, elem})};
gen(tuples) -> one_of([{gen(few), gen(few)}, {gen(few), gen(few), gen(few)}, {gen(few)}, gen(elem)]);
gen(map) -> maps:from_list(gen({list, kv}));
gen(property) -> one_of([a, b, c, {a, 1}, {b, true}, {c, false}, {a, "list"}, {b, x, y}, {c}, {1, 2}, {1.0, 3},
                         17, "str", {a, false}, {b, false}, d, {d, []}]);
gen(alias) -> {one_of([a, b, c]), one_of([c, d, e])};
gen(expansion) -> {one_of([a, b, {a, 1}, {c, false}]), gen({list, property})};
gen(stage) -> one_of([{aliases, gen({list, alias})}, {negations, gen({list, alias})}, {expand, gen({list, expansion})}]);
gen(key) -> one_of([a, b, c, d, 1, 1.0]);
gen(predicate) ->
    N = rand:uniform(8),
    element(N, {fun(X) -> is_integer(X) end, fun(X) -> X > 2 end, fun(X) -> X =:= a end, fun(_) -> true end,
                fun(_) -> false end, fun(X) -> is_list(X) orelse is_tuple(X) end, fun is_atom/1, fun(X) -> X < b end});
gen(rare) ->
    one_of([fun(_) -> maybe_not_boolean end, fun(X) -> error({bad, X}) end, fun(_) -> throw(out) end,
            fun(_, _) -> true end, fun() -> ok end]);
gen(predicate1) -> case rand:uniform(15) of 1 -> gen(rare); _ -> gen(predicate) end;
gen(filtermap1) ->
    one_of([fun(X) when is_integer(X) -> {true, X * 2}; (_) -> false end, fun(X) -> is_atom(X) end,
            fun(X) -> {true, [X]} end, fun(_) -> nonsense end]);
gen(listfun) -> one_of([fun(X) -> [X, X] end, fun(_) -> [] end, fun(X) -> [[X]] end, fun(X) -> X end]);
gen(fun1) -> one_of([fun(X) -> {X} end, fun(_) -> 1 end, fun(X) -> [X] end, fun(X) -> X + 1 end, fun erlang:is_list/1]);
gen(fold2) -> one_of([fun(X, A) -> [X | A] end, fun(X, A) -> {X, A} end, fun(_, A) -> A end, fun(X, A) when X =/= b -> [A] end]);
gen(mapfold2) -> one_of([fun(X, A) -> {{X}, [X | A]} end, fun(X, A) -> {A, X} end, fun(X, _) -> X end]);
gen(zip2) -> one_of([fun(X, Y) -> {X, Y} end, fun(X, Y) -> X + Y end, fun(_, _) -> 1 end]);
gen(zip3) -> one_of([fun(X, Y, Z) -> {X, Y, Z} end, fun(_, _, _) -> 1 end]);
gen(order) -> one_of([fun(X, Y) -> X =< Y end, fun(X, Y) -> X >= Y end, fun erlang:'=<'/2]);
gen(order_up) -> fun(X, Y) -> X =< Y end;
gen(kv_predicate) -> one_of([fun(K, _) -> is_atom(K) end, fun(_, V) -> is_integer(V) end, fun(_, _) -> true end,
                             fun(_, _) -> false end, fun(_, _) -> odd end]);
gen(kv_filtermap) -> one_of([fun(K, V) -> {true, {K, V}} end, fun(K, _) -> is_atom(K) end, fun(_, _) -> false end,
                             fun(_, _) -> odd end]);
gen(kv_map) -> one_of([fun(K, V) -> {K, V} end, fun(_, V) -> [V] end, fun(_, V) -> V + 1 end]);
gen(kv_fold) -> one_of([fun(K, V, A) -> [{K, V} | A] end, fun(_, _, A) -> A end]);
gen(count_fold) -> one_of([fun(_, _, A) -> [x | A] end, fun(K, _, A) when is_atom(K) -> A; (_, _, A) -> [y | A] end]);
gen(kv_merge) -> one_of([fun(K, A, B) -> {K, A, B} end, fun(_, A, _) -> A end, fun(_, _, B) -> B end]);
gen(versions) -> one_of([[], [{version, 1}], [{version, 2}], [{version, 2}, {version, 1}], [{version, 3}]]);
gen(array_options) ->
    one_of([[], 5, fixed, {fixed, false}, {default, 0}, [{size, 3}, {default, x}], [{size, 4}, {fixed, false}],
            {size, 2}, [fixed, 7], [{default, 1}, {default, 2}], {fixed, true}, [foo], {size, -1}]);
gen(array_options2) -> one_of([[], fixed, {fixed, false}, {default, 0}, [{default, x}, {fixed, false}], [{size, 3}], 4]);
gen(index) -> rand:uniform(16) - 2;
gen(orddict_index) -> {rand:uniform(12) - 1, gen(few)};
gen(direction) -> one_of([leading, trailing, both]);
gen(lead) -> one_of([leading, trailing]);
gen(where) -> one_of([leading, trailing, all]);
gen(bool) -> one_of([true, false]);
gen(char) -> one_of("abcxyzABZ .,-0159\t\n");
gen(wide) -> one_of([16#e4, 16#df, 16#3b1, 16#416, 16#1F600, 16#20ac, $a, $B, $\s]);
gen(string) -> [gen(char) || _ <- lists:seq(1, rand:uniform(12) - 1)];
gen(short) -> [gen(char) || _ <- lists:seq(1, rand:uniform(3) - 1)];
gen(shorter) -> [gen(char) || _ <- lists:seq(1, rand:uniform(2))];
gen(wide_string) -> [gen(wide) || _ <- lists:seq(1, rand:uniform(8) - 1)];
gen(text) ->
    case rand:uniform(6) of
        1 -> unicode:characters_to_binary(gen(wide_string));
        2 -> gen(wide_string);
        3 -> unicode:characters_to_binary(gen(string));
        4 -> one_of(["aXbXc", <<"a,b,,c">>, "  padded  ", <<"\r\nline\r\n">>, "x\r\n", "a\r\nb\nc\r\n", <<"a\nb\r\nc">>, "\n\r\n", "e\x{301}a", <<"e\x{301}"/utf8>>,
                     "12abc", "3.5e3x", "-7", "+1.0E-2", "", <<>>]);
        _ -> gen(string)
    end;
gen(deep_text) -> [case rand:uniform(3) of 1 -> gen(text); 2 -> gen(char); 3 -> gen(string) end || _ <- lists:seq(1, rand:uniform(4) - 1)];
gen(any_text) -> case rand:uniform(5) of 1 -> gen(deep_text); _ -> gen(text) end;
gen(chars) -> gen(short);
gen(graphemes) -> one_of(["\n", "\r", "\r\n", gen(shorter), [$a, $b], "\r\n ", [[$\r, $\n]], [16#e4, $x], ","]);
gen(pattern) -> one_of(["\n", <<"\n">>, "\r\n", gen(shorter), list_to_binary(gen(shorter)), ",", "X", " ", <<"a">>, "bX"]);
gen(bytes) -> list_to_binary(gen(string));
gen(byte_pattern) -> one_of([list_to_binary(gen(shorter)), <<"a">>, [<<"a">>, <<"b">>], [<<"ab">>, <<"a">>], <<" ">>,
                             [list_to_binary(gen(shorter)), <<"x">>]]);
gen(pos_len) -> {rand:uniform(10) - 2, rand:uniform(12) - 6};
gen(match_options) -> one_of([[], [{scope, gen(pos_len)}], [{scope, {0, 3}}]]);
gen(split_options) -> one_of([[], [global], [trim], [global, trim], [global, trim_all], [trim_all], [{scope, {0, 4}}]]);
gen(replace_options) -> one_of([[], [global], [{insert_replaced, 0}], [global, {insert_replaced, 1}], [{scope, {0, 4}}],
                                [{insert_replaced, [0, 2]}]]);
gen(byte) -> rand:uniform(256) - 1;
gen(endian) -> one_of([big, little]);
gen(unsigned) -> one_of([0, 1, 255, 256, 65535, 1 bsl 40, rand:uniform(1 bsl 66)]);
gen(encoding) -> one_of([latin1, utf8, unicode, utf16, {utf16, little}, utf32, {utf32, big}, {utf16, big}, {utf32, little}]);
gen(raw) -> list_to_binary([gen(byte) || _ <- lists:seq(1, rand:uniform(7) - 1)]);
gen(chardata) ->
    case rand:uniform(6) of
        1 -> gen(raw);
        2 -> [gen(text), gen(raw)];
        3 -> gen(deep_text);
        4 -> gen(wide_string);
        5 -> [gen(wide_string), gen(text), [gen(char) | unicode:characters_to_binary(gen(wide_string))]];
        6 -> [16#d800, 16#110000, -1] -- [one_of([16#d800, 16#110000, -1])]
    end;
gen(path) -> one_of(["/a/b/c.erl", "a/b", "a", "", "/", "a/", "/a//b/", "a.b/c", "x.tar.gz", ".hidden", "a/.x", "..",
                     "a/../b", <<"a/b.c">>, <<"/x">>, foo, "b.erl", "/usr/lib/x.beam", "a/b/", <<"">>, "//a"]);
gen(path_list) -> one_of([["a", "b"], ["a", "/b", "c"], ["/", "x"], ["a/", "b/"], ["a"], [<<"a">>, "b"], ["", "a"], [a, "b"]]);
gen(extension) -> one_of([".erl", ".c", "erl", "", <<".c">>, ".gz"]);
gen(date) -> one_of([{2024, 2, 29}, {1970, 1, 1}, {0, 1, 1}, {1999, 12, 31}, {2023, 2, 29}, {2000, 3, 1},
                     {rand:uniform(3000), rand:uniform(12), rand:uniform(28)}, {2021, 13, 1}]);
gen(year) -> one_of([0, 4, 100, 400, 1900, 2000, 2023, 2024]);
gen(month) -> rand:uniform(13);
gen(day) -> rand:uniform(31);
gen(time) -> {rand:uniform(24) - 1, rand:uniform(60) - 1, rand:uniform(60) - 1};
gen(datetime) -> {gen(date), gen(time)};
gen(days) -> one_of([0, 1, 365, 719528, 737000, rand:uniform(1000000)]);
gen(seconds) -> one_of([0, 1, 86399, 86400, 62167219200, rand:uniform(90000000000)]);
gen(now) -> {rand:uniform(2000), rand:uniform(999999), rand:uniform(999999)};
gen(base64) -> one_of(["aGVsbG8=", <<"aGk=">>, <<"YQ==">>, "", <<"a b\nGk=">>, <<"!!">>, "YWJj", <<"YW">>, base64:encode(gen(raw))]).

%%% The modules: how containers are made and seen, and what is called with what.

modules() ->
    E = elem, L = {list, elem}, LF = {list, few}, P = predicate1, K = few,
    [{lists, none, none,
      [{all, [P, L], plain}, {any, [P, L], plain}, {append, [{list, L}], plain}, {append, [L, L], plain},
       {concat, [{list, thing}], plain}, {delete, [K, LF], plain}, {droplast, [L], plain}, {dropwhile, [P, L], plain},
       {duplicate, [int, E], plain}, {enumerate, [L], plain}, {enumerate, [int, L], plain}, {filter, [P, L], plain},
       {filtermap, [filtermap1, L], plain}, {zf, [filtermap1, L], plain}, {flatlength, [deep], plain},
       {flatmap, [listfun, L], plain}, {flatten, [deep], plain}, {flatten, [deep, L], plain}, {foldl, [fold2, E, L], plain},
       {foldr, [fold2, E, L], plain}, {foreach, [fun1, L], plain}, {join, [E, L], plain}, {keydelete, [K, pos, {list, tuples}], plain},
       {keyfind, [K, pos, {list, tuples}], plain}, {keymap, [fun1, pos, {list, kv}], plain},
       {keymember, [K, pos, {list, tuples}], plain}, {keymerge, [{const, 1}, {keysorted, kv}, {keysorted, kv}], plain},
       {keyreplace, [K, pos, {list, tuples}, kv], plain}, {keysearch, [K, pos, {list, tuples}], plain},
       {keysort, [{same, [{const, 1}, {const, 2}, pos]}, {list, kv}], equal}, {keystore, [K, pos, {list, tuples}, kv], plain},
       {keytake, [K, pos, {list, tuples}], plain}, {last, [L], plain}, {map, [fun1, L], plain},
       {mapfoldl, [mapfold2, E, L], plain}, {mapfoldr, [mapfold2, E, L], plain}, {max, [L], plain}, {member, [K, LF], plain},
       {merge, [{list, {sorted, few}}], plain}, {merge, [{sorted, few}, {sorted, few}], plain},
       {merge, [order_up, {sorted, few}, {sorted, few}], plain}, {merge3, [{sorted, few}, {sorted, few}, {sorted, few}], plain},
       {min, [L], plain}, {nth, [int, L], plain}, {nthtail, [int, L], plain}, {partition, [P, L], plain},
       {prefix, [{list, {const, a}}, {list, {same, [{const, a}, few]}}], plain}, {reverse, [L], plain}, {reverse, [L, E], plain},
       {rkeymerge, [{const, 1}, {rkeysorted, kv}, {rkeysorted, kv}], plain}, {rmerge, [{rsorted, few}, {rsorted, few}], plain},
       {rmerge, [order_up, {rsorted, few}, {rsorted, few}], plain}, {rmerge3, [{rsorted, few}, {rsorted, few}, {rsorted, few}], plain},
       {rukeymerge, [{const, 1}, {rukeysorted, kv}, {rukeysorted, kv}], plain}, {rumerge, [{rusorted, few}, {rusorted, few}], plain},
       {rumerge, [order_up, {rusorted, few}, {rusorted, few}], plain},
       {rumerge3, [{rusorted, few}, {rusorted, few}, {rusorted, few}], plain}, {search, [P, L], plain}, {seq, [int, int], plain},
       {seq, [int, int, int], plain}, {sort, [{big, elem}], equal}, {sort, [order, {big, elem}], plain}, {split, [int, L], plain},
       {splitwith, [P, L], plain}, {sublist, [L, int], plain}, {sublist, [L, int, int], plain}, {subtract, [LF, LF], plain},
       {suffix, [{list, {const, a}}, {list, {same, [{const, a}, few]}}], plain}, {sum, [{list, number}], plain}, {takewhile, [P, L], plain},
       {ukeymerge, [{const, 1}, {ukeysorted, kv}, {ukeysorted, kv}], plain}, {ukeysort, [pos, {list, kv}], plain},
       {umerge, [{list, {usorted, few}}], plain}, {umerge, [{usorted, few}, {usorted, few}], plain},
       {umerge, [order_up, {usorted, few}, {usorted, few}], plain}, {umerge3, [{usorted, few}, {usorted, few}, {usorted, few}], plain},
       {uniq, [LF], plain}, {uniq, [fun1, LF], plain}, {unzip, [{list, kv}], plain}, {unzip3, [{list, {tuple, [few, few, few]}}], plain},
       {usort, [{big, elem}], plain}, {usort, [order, {big, elem}], plain}, {zip, [LF, LF], plain}, {zip3, [LF, LF, LF], plain},
       {zipwith, [zip2, LF, LF], plain}, {zipwith3, [zip3, LF, LF, LF], plain}]},
     {maps, none, none,
      [{filter, [kv_predicate, map], plain}, {filtermap, [kv_filtermap, map], plain}, {fold, [kv_fold, L, map], plain},
       {foreach, [kv_map, map], plain}, {get, [K, map, E], plain}, {groups_from_list, [fun1, L], plain},
       {groups_from_list, [predicate, fun1, L], plain}, {intersect, [map, map], plain}, {intersect_with, [kv_merge, map, map], plain},
       {iterator, [map], iterator}, {map, [kv_map, map], plain}, {merge_with, [kv_merge, map, map], plain}, {new, [], plain},
       {next, [iter_of_map], plain}, {size, [map], plain}, {update_with, [K, fun1, map], plain}, {update_with, [K, fun1, E, map], plain},
       {with, [LF, map], plain}, {without, [LF, map], plain}] -- [{next, [iter_of_map], plain}]},
     {ordsets, none, none, set_rows({usorted, elem}, plain, few, P)},
     {orddict, none, none, dict_rows({ukeysorted, kv}, {ukeysorted, kvlist}, {ukeysorted, counter}, plain, plain, plain)},
     {dict, fun make_dict/2, fun view_dict/2, dict_rows(c, c, c, c, sorted, count)},
     {sets, fun make_set/2, fun view_set/2,
      [{new, [], c}, {new, [versions], c}, {from_list, [L], c}, {from_list, [L, versions], c} | set_rows(c, c, few, P) -- [{new, [], c}, {from_list, [L], c}]]},
     {gb_trees, fun make_tree/2, fun view_tree/2,
      [{empty, [], c}, {is_empty, [c], plain}, {size, [c], plain}, {lookup, [K, c], plain}, {get, [K, c], plain}, {insert, [K, E, c], c},
       {insert, [E, E, c], c}, {update, [K, E, c], c}, {enter, [E, E, c], c}, {delete, [K, c], c}, {delete_any, [K, c], c},
       {take, [K, c], {tagged, [plain, c]}}, {take_any, [K, c], {tagged, [plain, c]}}, {balance, [c], c}, {is_defined, [K, c], plain},
       {keys, [c], plain}, {values, [c], plain}, {to_list, [c], plain}, {from_orddict, [{ukeysorted, kv}], c}, {smallest, [c], plain},
       {largest, [c], plain}, {take_smallest, [c], {tagged, [plain, plain, c]}}, {take_largest, [c], {tagged, [plain, plain, c]}},
       {iterator, [c], iterator}, {iterator_from, [K, c], iterator}, {next, [iter], {tagged, [plain, plain, iterator]}},
       {map, [kv_map, c], c}]},
     {gb_sets, fun make_gb_set/2, fun view_gb_set/2,
      [{empty, [], c}, {singleton, [E], c}, {is_member, [K, c], plain}, {insert, [E, c], c}, {add, [E, c], c}, {delete, [K, c], c},
       {delete_any, [K, c], c}, {balance, [c], c}, {difference, [c, c], c}, {from_ordset, [{usorted, elem}], c}, {smallest, [c], plain},
       {largest, [c], plain}, {take_smallest, [c], {tagged, [plain, c]}}, {take_largest, [c], {tagged, [plain, c]}},
       {iterator, [c], iterator}, {iterator_from, [K, c], iterator}, {next, [iter], {tagged, [plain, iterator]}}
       | set_rows(c, c, elem, P)]},
     {queue, fun make_queue/2, fun view_queue/2,
      [{new, [], c}, {is_queue, [c], plain}, {is_empty, [c], plain}, {len, [c], plain}, {to_list, [c], plain}, {from_list, [L], c},
       {member, [K, c], plain}, {in, [E, c], c}, {in_r, [E, c], c}, {out, [c], {tagged, [plain, c]}}, {out_r, [c], {tagged, [plain, c]}},
       {get, [c], plain}, {get_r, [c], plain}, {peek, [c], plain}, {peek_r, [c], plain}, {drop, [c], c}, {drop_r, [c], c}, {reverse, [c], c},
       {join, [c, c], c}, {split, [nat, c], {tagged, [c, c]}}, {filter, [P, c], c}, {filter, [listfun, c], c}, {filtermap, [filtermap1, c], c},
       {fold, [fold2, E, c], plain}, {any, [predicate, c], plain}, {all, [predicate, c], plain}, {delete, [K, c], c}, {delete_r, [K, c], c},
       {delete_with, [predicate, c], c}, {delete_with_r, [predicate, c], c}, {cons, [E, c], c}, {head, [c], plain}, {tail, [c], c},
       {snoc, [c, E], c}, {last, [c], plain}, {daeh, [c], plain}, {init, [c], c}, {liat, [c], c}, {lait, [c], c}]},
     {proplists, none, none,
      [{property, [property], plain}, {property, [key, E], plain}, {unfold, [{list, property}], plain}, {compact, [{list, property}], plain},
       {lookup, [key, {list, property}], plain}, {lookup_all, [key, {list, property}], plain}, {is_defined, [key, {list, property}], plain},
       {get_value, [key, {list, property}], plain}, {get_value, [key, {list, property}, E], plain}, {get_all_values, [key, {list, property}], plain},
       {append_values, [key, {list, property}], plain}, {get_bool, [key, {list, property}], plain}, {get_keys, [{list, property}], sorted},
       {delete, [key, {list, property}], plain}, {substitute_aliases, [{list, alias}, {list, property}], plain},
       {substitute_negations, [{list, alias}, {list, property}], plain}, {expand, [{list, expansion}, {list, property}], plain},
       {normalize, [{list, property}, {list, stage}], plain}, {split, [{list, property}, {list, key}], plain}, {to_map, [{list, property}], plain},
       {to_map, [{list, property}, {list, stage}], plain}, {from_map, [map], plain}]},
     {array, fun make_array/2, fun view_array/2,
      [{new, [], c}, {new, [array_options], c}, {new, [int, array_options2], c}, {is_array, [c], plain}, {set, [index, few, c], c},
       {get, [index, c], plain}, {size, [c], plain}, {sparse_size, [c], plain}, {default, [c], plain}, {reset, [index, c], c},
       {to_list, [c], plain}, {sparse_to_list, [c], plain}, {from_list, [LF], c}, {from_list, [LF, few], c}, {to_orddict, [c], plain},
       {sparse_to_orddict, [c], plain}, {from_orddict, [{ukeysorted, orddict_index}], c}, {from_orddict, [{ukeysorted, orddict_index}, few], c},
       {map, [kv_map, c], c}, {sparse_map, [kv_map, c], c}, {foldl, [kv_fold, L, c], plain}, {foldr, [kv_fold, L, c], plain},
       {sparse_foldl, [kv_fold, L, c], plain}, {sparse_foldr, [kv_fold, L, c], plain}, {fix, [c], c}, {relax, [c], c}, {is_fix, [c], plain},
       {resize, [c], c}, {resize, [index, c], c}]}
     | text_modules()].

set_rows(C, S, E, P) ->
    [{new, [], S}, {is_set, [C], plain}, {size, [C], plain}, {is_empty, [C], plain}, {to_list, [C], sorted}, {from_list, [{list, elem}], S},
     {is_element, [E, C], plain}, {add_element, [E, C], S}, {del_element, [E, C], S}, {union, [{many, C}], S}, {union, [C, C], S},
     {intersection, [{many, C}], S}, {intersection, [C, C], S}, {is_disjoint, [C, C], plain}, {subtract, [C, C], S}, {is_subset, [C, C], plain},
     {fold, [{same, [{const, fun(_, N) when is_integer(N) -> N + 1 end}]}, nat, C], plain}, {filter, [P, C], S}].

dict_rows(C, Lists, Counters, S, Sorted, Folded) ->
    Fold = case Folded of count -> count_fold; _ -> kv_fold end,
    [{new, [], S}, {is_key, [few, C], plain}, {to_list, [C], Sorted}, {from_list, [{list, kv}], S}, {size, [C], plain}, {is_empty, [C], plain},
     {fetch, [few, C], plain}, {find, [few, C], plain}, {fetch_keys, [C], Sorted}, {erase, [few, C], S}, {take, [few, C], {tagged, [plain, S]}},
     {store, [few, elem, C], S}, {append, [few, elem, Lists], S}, {append_list, [few, {list, elem}, Lists], S}, {update, [few, fun1, C], S},
     {update, [few, fun1, elem, C], S}, {update_counter, [few, number, Counters], S}, {fold, [Fold, {list, elem}, C], Sorted},
     {map, [kv_map, C], S}, {filter, [kv_predicate, C], S}, {merge, [kv_merge, C, C], S}].

%% Random operations from a seed that both sides share.
run(Seed, Value, Step) ->
    {N, Seed1} = rand:uniform_s(40, Seed),
    {Big, Seed2} = rand:uniform_s(4, Seed1),
    run(N div Big, Seed2, Value, Step).

run(0, _, Value, _) -> Value;
run(N, Seed, Value, Step) ->
    {Choice, Seed1} = rand:uniform_s(6, Seed),
    {I, Seed2} = rand:uniform_s(23, Seed1),
    X = lists:nth(I, [1, 2, 3, 4, 5, 0, -1, 1.0, 2.0, 2.5, a, b, c, "a", "b", {a, 1}, {1}, <<"x">>, [], {}, 9, [1, 2], 1 bsl 70]),
    run(N - 1, Seed2, Step(Choice, X, Value), Step).

make_dict(M, Seed) ->
    run(Seed, M:new(), fun(1, X, D) -> M:erase(X, D); (2, X, D) -> M:store(X, [X], D); (_, X, D) -> M:store(X, X, D) end).
view_dict(M, D) -> {M:size(D), strict(M:to_list(D))}.

make_set(M, Seed) ->
    {V, Seed1} = rand:uniform_s(2, Seed),
    run(Seed1, M:new([{version, V}]), fun(1, X, S) -> M:del_element(X, S); (_, X, S) -> M:add_element(X, S) end).
view_set(M, S) -> {M:size(S), is_map(S), strict(M:to_list(S))}.

make_tree(M, Seed) ->
    run(Seed, M:empty(), fun(1, X, T) -> M:delete_any(X, T); (_, X, T) -> M:enter(X, X, T) end).
view_tree(M, T) -> {M:size(T), M:to_list(T), T}.

make_gb_set(M, Seed) ->
    run(Seed, M:new(), fun(1, X, S) -> M:delete_any(X, S); (_, X, S) -> M:add(X, S) end).
view_gb_set(M, S) -> {M:size(S), M:to_list(S)}.

make_queue(M, Seed) ->
    run(Seed, M:new(), fun(1, _, Q) -> element(2, M:out(Q)); (2, _, Q) -> element(2, M:out_r(Q)); (3, X, Q) -> M:in_r(X, Q);
                          (_, X, Q) -> M:in(X, Q) end).
view_queue(M, Q) -> {M:len(Q), M:to_list(Q), Q}.

make_array(M, Seed) ->
    {V, Seed1} = rand:uniform_s(3, Seed),
    New = element(V, {M:new(), M:new([{default, 1}]), M:new([{default, a}, {size, 30}])}),
    A = run(Seed1, New, fun(1, X, A) when is_integer(X), X >= 0, X < 30 -> M:reset(X, A);
                           (C, X, A) when is_integer(X), X >= 0, X < 30 -> M:set(X + C, X, A);
                           (2, _, A) -> M:set(0, a, A);
                           (_, _, A) -> A end),
    case V of 3 -> M:relax(M:fix(A)); _ -> A end.
view_array(M, A) -> {M:size(A), M:is_fix(A), M:default(A), M:sparse_size(A), M:to_orddict(A)}.

text_modules() ->
    T = text, S = string, D = deep_text,
    [{string, none, none,
      [{is_empty, [T], plain}, {length, [T], plain}, {to_graphemes, [T], plain}, {reverse, [T], plain}, {equal, [T, T], plain},
       {equal, [text, text, bool], plain}, {equal, [S, S, bool, {const, none}], plain}, {slice, [T, nat], flat}, {slice, [T, nat, nat], flat},
       {pad, [T, nat], flat}, {pad, [T, nat, {same, [direction]}], flat}, {pad, [T, nat, direction, char], flat}, {trim, [T], flat},
       {trim, [T, direction], flat}, {trim, [T, direction, graphemes], flat}, {chomp, [T], flat}, {take, [T, graphemes], flat},
       {take, [T, graphemes, bool], flat}, {take, [T, graphemes, bool, lead], flat}, {uppercase, [T], flat}, {lowercase, [T], flat},
       {titlecase, [T], flat}, {casefold, [T], flat}, {prefix, [T, pattern], flat}, {split, [T, pattern], {list, flat}},
       {split, [T, pattern, where], {list, flat}}, {replace, [T, pattern, T], flat}, {replace, [T, pattern, T, where], flat},
       {find, [T, pattern], flat}, {find, [T, pattern, lead], flat}, {lexemes, [T, graphemes], {list, flat}},
       {nth_lexeme, [T, pos, graphemes], flat}, {next_codepoint, [T], next}, {next_grapheme, [T], next}, {to_float, [T], flat},
       {to_integer, [T], flat}, {len, [S], plain}, {concat, [S, S], plain}, {chr, [S, char], plain}, {rchr, [S, char], plain},
       {str, [S, short], plain}, {rstr, [S, short], plain}, {span, [S, short], plain}, {cspan, [S, short], plain}, {substr, [S, nat], plain},
       {substr, [S, nat, nat], plain}, {tokens, [S, short], plain}, {join, [{list, S}, S], plain}, {chars, [char, nat], plain},
       {chars, [char, nat, S], plain}, {copies, [S, nat], plain}, {words, [S], plain}, {words, [S, char], plain}, {sub_word, [S, pos], plain},
       {sub_word, [S, pos, char], plain}, {strip, [S], plain}, {strip, [S, {same, [{const, left}, {const, right}, {const, both}]}], plain},
       {strip, [S, {same, [{const, left}, {const, right}, {const, both}]}, char], plain}, {left, [S, nat], plain}, {left, [S, nat, char], plain},
       {right, [S, nat], plain}, {right, [S, nat, char], plain}, {centre, [S, nat], plain}, {centre, [S, nat, char], plain},
       {sub_string, [S, nat], plain}, {sub_string, [S, nat, nat], plain}, {to_upper, [S], plain}, {to_lower, [S], plain},
       {list_to_float, [S], flat}, {list_to_integer, [S], flat},
       {length, [D], plain}, {to_graphemes, [D], plain}, {reverse, [D], plain}, {slice, [D, nat, nat], loose}, {pad, [D, nat, direction, char], loose},
       {trim, [D, direction], loose}, {take, [D, graphemes, bool, lead], loose}, {uppercase, [D], loose}, {casefold, [D], loose},
       {split, [D, pattern, where], {list, loose}}, {replace, [D, pattern, T, where], loose}, {find, [D, pattern, lead], loose},
       {lexemes, [D, graphemes], {list, loose}}, {next_codepoint, [D], loose}, {next_grapheme, [D], loose}, {to_float, [D], loose},
       {to_integer, [D], loose}]}].
