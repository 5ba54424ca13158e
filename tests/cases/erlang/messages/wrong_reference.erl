%! run: wrong_reference:test/0
%! verdict: deadlock
%% The server answers with a reference of its own instead of the one it was asked with.
-module(wrong_reference).
-export([test/0]).

test() ->
    Server = spawn(fun() -> receive {ask, From, _Ref} -> From ! {make_ref(), 42} end end),
    Ref = make_ref(),
    Server ! {ask, self(), Ref},
    receive {Ref, Answer} -> Answer end.
