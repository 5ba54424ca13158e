%! run: unexpected_by_nobody:test/0
%! crash: worker
%! verdict: holds
%% A crash that nobody is linked to and nobody waits for is no error.
-module(unexpected_by_nobody).
-export([test/0]).

test() ->
    spawn(fun() -> register(worker, self()), self() ! hello, receive hello -> ok end end),
    ok.
