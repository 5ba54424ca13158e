%! run: of_is_not_protected:test/0
%! verdict: abnormal_exit
%% What happens in the of part is not caught.
-module(of_is_not_protected).
-export([test/0]).

test() ->
    spawn(fun() -> try self() of P when is_pid(P) -> error(in_of) catch _:_ -> ok end end).
