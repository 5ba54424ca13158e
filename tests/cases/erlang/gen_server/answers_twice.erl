%! run: answers_twice:test/0
%! verdict: abnormal_exit
%% A call without a timeout uses no alias: a second answer stays in the mailbox of who has called, here of a server that knows
%% no such message.
-module(answers_twice).
-export([test/0]).
-behaviour(gen_server).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

test() ->
    {ok, Store} = gen_server:start_link(?MODULE, store, []),
    {ok, Front} = gen_server:start_link(?MODULE, {front, Store}, []),
    value = gen_server:call(Front, get),
    gen_server:stop(Front),
    gen_server:stop(Store).

init(S) -> {ok, S}.
handle_call(get, From, store) ->
    gen_server:reply(From, value),
    {reply, value, store};
handle_call(get, _, {front, Store} = S) -> {reply, gen_server:call(Store, get, infinity), S}.
handle_cast(_, S) -> {noreply, S}.
handle_info(Message, S) -> {stop, {unexpected, Message}, S}.
