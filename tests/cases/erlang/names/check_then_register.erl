%! run: check_then_register:test/0
%! verdict: abnormal_exit
%% Both look, both see that the name is free, both take it: one of them fails.
-module(check_then_register).
-export([test/0]).

test() ->
    [spawn(fun() ->
        case whereis(king) of
            undefined -> register(king, self()), receive after 10 -> ok end;
            _ -> ok
        end
    end) || _ <- [1, 2]].
