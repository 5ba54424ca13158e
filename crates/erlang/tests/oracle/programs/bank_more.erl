-module(bank_more).
-export([main/0]).
-record(account, {owner, balance = 0, log = []}).

main() ->
    Bank = spawn_link(fun() -> loop(#{}) end),
    ok = call(Bank, {open, joe}),
    ok = call(Bank, {open, ann}),
    {error, exists} = call(Bank, {open, joe}),
    ok = call(Bank, {deposit, joe, 100}),
    ok = call(Bank, {transfer, joe, ann, 30}),
    {error, funds} = call(Bank, {transfer, joe, ann, 300}),
    {error, {unknown, bob}} = call(Bank, {deposit, bob, 1}),
    [io:format("~p: ~p ~p~n", [Owner, call(Bank, {balance, Owner}), call(Bank, {log, Owner})])
     || Owner <- [joe, ann]],
    unlink(Bank),
    Ref = monitor(process, Bank),
    exit(Bank, shutdown),
    receive {'DOWN', Ref, process, Bank, Reason} -> io:format("bank down: ~p~n", [Reason]) end.

call(Bank, Request) ->
    Ref = make_ref(),
    Bank ! {call, self(), Ref, Request},
    receive {Ref, Reply} -> Reply end.

loop(Accounts) ->
    receive
        {call, From, Ref, Request} ->
            {Reply, New} = handle(Request, Accounts),
            From ! {Ref, Reply},
            loop(New)
    end.

handle({open, Owner}, Accounts) when is_map_key(Owner, Accounts) -> {{error, exists}, Accounts};
handle({open, Owner}, Accounts) -> {ok, Accounts#{Owner => #account{owner = Owner}}};
handle({deposit, Owner, Sum}, Accounts) -> change(Owner, Sum, Accounts);
handle({transfer, From, To, Sum}, Accounts) ->
    case change(From, -Sum, Accounts) of
        {ok, Between} -> change(To, Sum, Between);
        Error -> Error
    end;
handle({balance, Owner}, Accounts) -> {(maps:get(Owner, Accounts))#account.balance, Accounts};
handle({log, Owner}, Accounts) ->
    #account{log = Log} = maps:get(Owner, Accounts),
    {lists:reverse(Log), Accounts}.

change(Owner, Sum, Accounts) ->
    case Accounts of
        #{Owner := #account{balance = Balance}} when Balance + Sum < 0 -> {{error, funds}, Accounts};
        #{Owner := #account{balance = Balance, log = Log} = Account} ->
            {ok, Accounts#{Owner := Account#account{balance = Balance + Sum, log = [Sum | Log]}}};
        #{} -> {{error, {unknown, Owner}}, Accounts}
    end.
