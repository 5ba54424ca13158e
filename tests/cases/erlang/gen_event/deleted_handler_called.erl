%! run: deleted_handler_called:test/0
%! verdict: abnormal_exit
%% Another process may delete the handler before it is called.
-module(deleted_handler_called).
-export([test/0]).
-behaviour(gen_event).
-export([init/1, handle_event/2, handle_call/2]).

test() ->
    {ok, M} = gen_event:start(),
    ok = gen_event:add_handler(M, ?MODULE, 0),
    Self = self(),
    spawn(fun() -> gen_event:delete_handler(M, ?MODULE, gone), Self ! done end),
    R = gen_event:call(M, ?MODULE, count, infinity),
    receive done -> ok end,
    gen_event:stop(M),
    0 = R.

init(N) -> {ok, N}.
handle_event(_, N) -> {ok, N}.
handle_call(count, N) -> {ok, N, N}.
