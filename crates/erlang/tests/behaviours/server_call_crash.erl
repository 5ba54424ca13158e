-module(server_call_crash).
-export([main/0, init/1, handle_call/3, handle_cast/2]).

%% A server killed while it owes an answer, and one that never answers.
main() ->
    {ok, P} = gen_server:start({local, s}, ?MODULE, [], []),
    Killer = spawn(fun() -> receive go -> exit(P, kill) end end),
    timer:send_after(10, Killer, go),
    io:format("~p~n", [catch gen_server:call(s, never, infinity)]),
    {ok, Q} = gen_server:start({local, s}, ?MODULE, [], []),
    io:format("~p~n", [catch gen_server:call(s, crash_later)]),
    {ok, _} = gen_server:start({local, s}, ?MODULE, [], []),
    io:format("~p~n", [is_process_alive(Q)]),
    io:format("~p~n", [gen_server:call(s, echo)]),
    %% A caller that has given up is not told later.
    io:format("~p~n", [catch gen_server:call(s, answer_in_20, 5)]),
    receive M -> io:format("late ~p~n", [M]) after 50 -> io:format("nothing late~n") end.

init([]) -> {ok, []}.
handle_call(never, _, S) -> {noreply, S};
handle_call(crash_later, _, S) -> gen_server:cast(self(), crash), {noreply, S};
handle_call(answer_in_20, From, S) ->
    spawn(fun() -> timer:sleep(20), gen_server:reply(From, late) end),
    {noreply, S};
handle_call(echo, _, S) -> {reply, echo, S}.
handle_cast(crash, S) -> {stop, crashed, S}.
