%! run: deep_term:test/0
%! verdict: holds
%% A term a million levels deep is built, compared, sent, stored, found again and freed.
-module(deep_term).
-export([test/0]).

test() ->
    Deep = deep(1000000, {}),
    Same = deep(1000000, {}),
    true = Deep =:= Same,
    true = Deep =< Same,
    false = Deep == deep(999999, {}),
    Main = self(),
    Pid = spawn(fun() -> receive {M, Term} -> M ! {back, [Term]} end end),
    Pid ! {Main, Deep},
    receive {back, [Deep]} -> ok end,
    T = ets:new(t, []),
    persistent_term:put(deep, Deep),
    Same = persistent_term:get(deep),
    put(deep, #{key => Deep}),
    #{key := Same} = get(deep),
    ets:delete(T).

deep(0, Term) -> Term;
deep(N, Term) -> deep(N - 1, {Term}).
