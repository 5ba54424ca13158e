%! run: taken_and_not_answered:test/0
%! verdict: abnormal_exit
%% Who looks can see that a server has taken a request and has not answered it yet: the client still watches it.
-module(taken_and_not_answered).
-export([test/0, init/1, handle_call/3, handle_cast/2]).

test() ->
    {ok, S} = gen_server:start(?MODULE, none, []),
    C = spawn(fun() -> gen_server:call(S, ask, infinity) end),
    {_, Before} = process_info(S, message_queue_len),
    {_, After} = process_info(S, message_queue_len),
    Watched = process_info(C, monitors),
    R = monitor(process, C),
    receive {'DOWN', R, _, _, _} -> ok end,
    exit(S, kill),
    case {Before, After, Watched} of
        {1, 0, {monitors, [_]}} -> exit(seen);
        _ -> ok
    end.

init(none) -> {ok, none}.
handle_call(ask, _, State) -> {reply, answer, State}.
handle_cast(_, State) -> {noreply, State}.
-foresee_options([{treat_as_normal, killed}]).
