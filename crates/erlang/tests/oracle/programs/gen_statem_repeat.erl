%% repeat_state enters the state again; keep_state does not.
-module(gen_statem_repeat).
-export([main/0]).
-behaviour(gen_statem).
-export([init/1, callback_mode/0, s/3]).

main() ->
    {ok, P} = gen_statem:start_link(?MODULE, self(), []),
    p(gen_statem:call(P, keep)), p(gen_statem:call(P, repeat)), p(gen_statem:call(P, again)),
    gen_statem:stop(P),
    p(count(0)).

count(N) -> receive entered -> count(N + 1) after 0 -> N end.
callback_mode() -> [state_functions, state_enter].
init(T) -> {ok, s, T}.
s(enter, _, T) -> T ! entered, keep_state_and_data;
s({call, F}, keep, T) -> {keep_state, T, [{reply, F, kept}]};
s({call, F}, repeat, _) -> {repeat_state_and_data, [{reply, F, repeated}]};
s({call, F}, again, T) -> {next_state, s, T, [{reply, F, same_state}]}.

p(X) -> io:format("~p~n", [X]).
