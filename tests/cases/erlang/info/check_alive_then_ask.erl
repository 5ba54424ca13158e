%! run: check_alive_then_ask:test/0
%! verdict: deadlock
%% Alive when looked at, gone when asked.
-module(check_alive_then_ask).
-export([test/0]).

test() ->
    P = spawn(fun() -> receive {ask, From} -> From ! answer after 10 -> ok end end),
    case is_process_alive(P) of
        true -> P ! {ask, self()}, receive answer -> ok end;
        false -> ok
    end.
