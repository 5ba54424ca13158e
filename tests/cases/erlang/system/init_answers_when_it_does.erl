%! run: init_answers_when_it_does:test/0
%! verdict: abnormal_exit
%% Its answer may come after what others send.
-module(init_answers_when_it_does).
-export([test/0]).
test() ->
    P = self(),
    init ! {P, get_arguments},
    spawn(fun() -> P ! hello end),
    receive First -> {init, _} = First end,
    receive hello -> ok end.
