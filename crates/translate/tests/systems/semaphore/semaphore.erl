%% A counting semaphore: guards and arithmetic.
-module(semaphore).
-behaviour(gen_server).
-export([start_link/1, init/1, handle_call/3, handle_cast/2]).

start_link(N) ->
    gen_server:start_link({local, semaphore}, ?MODULE, N, []).

init(N) when is_integer(N), N > 0 ->
    {ok, {N, N, []}}.

handle_call(acquire, _From, {Free, N, Waiting}) when Free > 0 ->
    {reply, ok, {Free - 1, N, Waiting}};
handle_call(acquire, From, {Free, N, Waiting}) ->
    {noreply, {Free, N, [From | Waiting]}};
handle_call(try_acquire, _From, S = {Free, N, Waiting}) ->
    if
        Free >= 1 andalso Waiting =:= [] -> {reply, true, {Free - 1, N, Waiting}};
        true -> {reply, false, S}
    end.

handle_cast(release, {Free, N, []}) when Free < N ->
    {noreply, {Free + 1, N, []}};
handle_cast(release, {Free, N, Waiting}) ->
    gen_server:reply(lists:last(Waiting), ok),
    {noreply, {Free, N, lists:droplast(Waiting)}}.
