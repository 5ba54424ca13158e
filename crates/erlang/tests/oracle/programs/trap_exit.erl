%% Exit signals as messages, for all sorts of reasons.
-module(trap_exit).
-export([main/0]).

main() ->
    p(process_flag(trap_exit, true)),
    p(process_flag(trap_exit, true)),
    [begin
         Pid = spawn_link(F),
         receive {'EXIT', Pid, R} -> p(reason(R)) end
     end || F <- [fun() -> ok end, fun() -> exit(normal) end, fun() -> exit(bye) end,
                  fun() -> exit({shutdown, x}) end, fun() -> error(oops) end, fun() -> throw(ball) end,
                  fun() -> exit(kill) end, fun() -> exit(self(), kill), receive never -> ok end end]],
    p(process_flag(trap_exit, false)).

reason({R, Stack}) when is_list(Stack) -> {error, R};
reason(R) -> R.

p(X) -> io:format("~p~n", [X]).
