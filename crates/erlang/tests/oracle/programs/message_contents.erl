%% Every kind of term can be sent.
-module(message_contents).
-export([main/0]).

main() ->
    Echo = spawn(fun echo/0),
    Terms = [1, 1.5, 1 bsl 90, a, "s", <<"b">>, <<1:3>>, {t, [l]}, #{k => #{}}, fun(X) -> X + 1 end, self(), make_ref(), []],
    p([begin Echo ! {self(), T}, receive {echo, R} -> R =:= T end end || T <- Terms]),
    Echo ! {self(), fun(X) -> X * 2 end},
    receive {echo, F} -> p(F(21)) end,
    Echo ! stop.

echo() -> receive {From, T} -> From ! {echo, T}, echo(); stop -> ok end.

p(X) -> io:format("~p~n", [X]).
