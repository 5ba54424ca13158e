%! run: persistent_term_erased:test/0
%! verdict: abnormal_exit
%% Erased between the look and the use.
-module(persistent_term_erased).
-export([test/0]).

test() ->
    persistent_term:put(key, 1),
    Self = self(),
    spawn(fun() -> persistent_term:erase(key), Self ! done end),
    case persistent_term:get(key, none) of
        none -> ok;
        1 -> 1 = persistent_term:get(key)
    end,
    receive done -> ok end.
