%! run: persistent_term_missing:test/0
%! verdict: abnormal_exit
%% Without a default the reader must not be first.
-module(persistent_term_missing).
-export([test/0]).

test() ->
    Self = self(),
    spawn(fun() -> persistent_term:put(config, new), Self ! done end),
    new = persistent_term:get(config),
    receive done -> ok end.
